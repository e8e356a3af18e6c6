// Permissions with a schema of all arguments, an approval, or names without an alias.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "mediator/policy/testing/skill_text.h"

namespace tipstaff::policy {
namespace {

constexpr char kSkill[] = R"(skill: a
bindings:
  own: {type: string}
scope: [own]
backends: {mail: {stub: mailbox}, reports: {stub: reports}, tickets: {stub: tickets}}
names: bare
permissions:
  - id: attach
    tool: reports.attach_evidence
    schema:
      type: object
      required: [report_id, content]
      properties:
        report_id: {equals: $own}
        name: {type: string, maxLength: 20}
        content: {type: string}
        note: {$ref: "#/$defs/short"}
      $defs: {short: {type: string, maxBytes: 9}}
      if: {required: [name]}
      then: {properties: {content: {maxLength: 5}}}
      unevaluatedProperties: false
  - id: asked
    tool: mail.send_message
    unscoped: A person sees it first.
    args: {to: {type: array, items: {type: string}}, subject: {type: string}}
    approval: {by: [leads], expires: 5m}
  - id: quick
    tool: mail.send_message
    unscoped: A test.
    args: {to: {type: array, items: {const: dana@acme.example}}, subject: {type: string}}
finalize: none
)";

class NewerKeysTest : public testing::Test {
 protected:
  call::Decision DecideOf(absl::string_view tool, absl::string_view arguments) const {
    return Decide(*grant_, {}, CallOf(tool, arguments));
  }
  const FakeCatalog catalog_;
  const std::shared_ptr<const Grant> grant_ =
      MustGrant({MustLoad(kSkill, catalog_)}, R"({"own":"rep_a"})", catalog_);
};

TEST_F(NewerKeysTest, ASchemaConstrainsAcrossArguments) {
  const struct {
    const char* arguments;
    call::Reason reason;
    const char* pointer;
  } kRows[] = {
      {R"({"report_id":"rep_a","content":"long enough"})", call::Reason::kPermitted, ""},
      {R"({"report_id":"rep_a","content":"short","name":"n"})", call::Reason::kPermitted, ""},
      {R"({"report_id":"rep_a","content":"long enough","name":"n"})",
       call::Reason::kArgumentRefused, "/content"},
      {R"({"report_id":"rep_b","content":"c"})", call::Reason::kOutOfScope, "/report_id"},
      {R"({"report_id":"rep_a"})", call::Reason::kArgumentRefused, "/content"},
      {R"({"report_id":"rep_a","content":"c","bcc":"x"})", call::Reason::kArgumentRefused, "/bcc"},
      {R"({"report_id":"rep_a","content":"a\nb"})", call::Reason::kArgumentRefused, "/content"},
      {R"({"report_id":"rep_a","content":"c","note":"0123456789"})", call::Reason::kArgumentRefused,
       "/note"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.arguments);
    const call::Decision decision = DecideOf("reports.attach_evidence", row.arguments);
    EXPECT_EQ(decision.reason, row.reason);
    EXPECT_EQ(decision.nearest ? decision.nearest->pointer : "", row.pointer);
  }
}

TEST_F(NewerKeysTest, WhatAnotherPermissionPermitsIsNotAsked) {
  const call::Decision quick =
      DecideOf("mail.send_message", R"({"to":["dana@acme.example"],"subject":"s"})");
  EXPECT_EQ(quick.verdict, call::Verdict::kAllow);
  EXPECT_EQ(quick.permission, "quick");
  const call::Decision asked =
      DecideOf("mail.send_message", R"({"to":["x@y.example"],"subject":"s"})");
  EXPECT_EQ(asked.verdict, call::Verdict::kHold);
  EXPECT_EQ(asked.reason, call::Reason::kApprovalPending);
  EXPECT_EQ(asked.permission, "asked");
  EXPECT_GE(asked.permission_index, 0);
  EXPECT_EQ(DecideOf("mail.send_message", R"({"to":"x","subject":"s"})").verdict,
            call::Verdict::kDeny);
}

TEST_F(NewerKeysTest, BareNamesLeaveTheAliasOut) {
  std::vector<std::string> names;
  for (const PublishedTool& tool : grant_->tools()) names.push_back(tool.name);
  EXPECT_THAT(names, testing::ElementsAre("attach_evidence", "send_message"));
  EXPECT_EQ(grant_->ResolveTool("send_message"), "mail.send_message");
  EXPECT_EQ(grant_->ResolveTool("mail.send_message"), "mail.send_message");
}

TEST_F(NewerKeysTest, OneSkillThatDoesNotSayBareKeepsTheAlias) {
  const std::string other = R"(skill: b
backends: {mail: {stub: mailbox}}
permissions: [{id: send, tool: mail.send_message, unscoped: A test., args: {}}]
finalize: none
)";
  const auto grant = MustGrant({MustLoad(kSkill, catalog_), MustLoad(other, catalog_)},
                               R"({"own":"rep_a"})", catalog_);
  std::vector<std::string> names;
  for (const PublishedTool& tool : grant->tools()) names.push_back(tool.name);
  EXPECT_THAT(names, testing::ElementsAre("attach_evidence", "mail_send_message"));
}

TEST_F(NewerKeysTest, BareNamesOfTwoBackendsMayNotClash) {
  const std::string twice = R"(skill: b
backends: {one: {stub: reports}, two: {stub: reports}}
names: bare
permissions:
  - {id: a, tool: one.get_report, args: {}}
  - {id: b, tool: two.get_report, args: {}}
finalize: none
)";
  source::Diagnostics diagnostics;
  EXPECT_EQ(Grant::Make({MustLoad(twice, catalog_)}, json::MustParse("{}"), catalog_, diagnostics),
            nullptr);
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_THAT(diagnostics[0].message, testing::HasSubstr("leave `names: bare` out"));
}

}  // namespace
}  // namespace tipstaff::policy
