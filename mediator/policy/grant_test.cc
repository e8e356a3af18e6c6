#include "mediator/policy/grant.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/testing/skill_text.h"

namespace tipstaff::policy {
namespace {

constexpr char kReader[] = R"(skill: reader
bindings:
  report_id: {type: string, pattern: "^rep_"}
  people: {type: array, items: {type: string}, default: [dana]}
scope: [report_id]
backends: {reports: {stub: reports}, mail: {stub: mailbox}}
limits: {calls: 10, wall: 30m}
permissions:
  - {id: read, tool: reports.get_report, args: {report_id: {equals: $report_id}}}
  - {id: submit, tool: reports.submit_result, after: [read], args: {report_id: {equals: $report_id},
     severity: {type: string}, summary: {type: string}}}
)";

constexpr char kTickets[] = R"(skill: tickets
bindings:
  ticket_id: {type: string}
  people: {type: array, items: {type: string}, default: [dana]}
backends: {tickets: {upstream: tickets-test}, reports: {stub: reports}}
limits: {calls: 20, wall: 5m, result_bytes: 1MiB}
permissions:
  - {id: see, tool: tickets.get_ticket, args: {ticket_id: {equals: $ticket_id}}}
  - {id: read, tool: reports.get_report, args: {report_id: {type: string}}}
finalize: none
)";

// Its alias `reports` is another backend.
constexpr char kMailAsReports[] = R"(skill: tickets
backends: {reports: {stub: mailbox}}
permissions:
  - {id: list, tool: reports.list_messages, args: {}}
finalize: none
)";

constexpr char kBoth[] = R"({"report_id":"rep_1","ticket_id":"t1"})";

class GrantTest : public testing::Test {
 protected:
  const FakeCatalog catalog_;
};

TEST_F(GrantTest, JoinsSkills) {
  const auto reader = MustLoad(kReader, catalog_), tickets = MustLoad(kTickets, catalog_);
  const auto grant = MustGrant({tickets, reader}, kBoth, catalog_);
  EXPECT_EQ(json::Dump(grant->bindings().root()),
            R"({"people":["dana"],"report_id":"rep_1","ticket_id":"t1"})");
  ASSERT_EQ(grant->backends().size(), 3);
  EXPECT_EQ(grant->backends()[0].first, "mail");
  EXPECT_EQ(grant->backends()[2].second.ToString(), "upstream:tickets-test");
  EXPECT_EQ(grant->limits().use[LimitKind::kCalls], 10);
  EXPECT_EQ(grant->limits().wall, absl::Minutes(5));
  EXPECT_EQ(grant->limits().use[LimitKind::kResultBytes], 1 << 20);
  EXPECT_TRUE(grant->has_finalize());
  EXPECT_FALSE(MustGrant({tickets}, R"({"ticket_id":"t"})", catalog_)->has_finalize());
}

TEST_F(GrantTest, NamesPermissionsBothWays) {
  const auto grant =
      MustGrant({MustLoad(kReader, catalog_), MustLoad(kTickets, catalog_)}, kBoth, catalog_);
  ASSERT_EQ(grant->permission_count(), 4);
  for (int i = 0; i < 4; ++i) {
    const std::string name = grant->PermissionName(i);
    const size_t slash = name.find('/');
    EXPECT_EQ(grant->PermissionIndex(name.substr(0, slash), name.substr(slash + 1)), i) << name;
  }
  EXPECT_EQ(grant->PermissionName(0), "reader/read");
  EXPECT_EQ(grant->PermissionName(-1), "");
  EXPECT_EQ(grant->PermissionName(4), "");
  EXPECT_EQ(grant->PermissionIndex("reader", "see"), -1);
}

TEST_F(GrantTest, DigestCoversSkillsAndBindingsButNoOrder) {
  const auto reader = MustLoad(kReader, catalog_), tickets = MustLoad(kTickets, catalog_);
  const std::string one = MustGrant({reader, tickets}, kBoth, catalog_)->digest();
  EXPECT_EQ(one.size(), 64);
  EXPECT_EQ(
      MustGrant({tickets, reader}, R"({"ticket_id":"t1","report_id":"rep_1"})", catalog_)->digest(),
      one);
  EXPECT_NE(
      MustGrant({tickets, reader}, R"({"ticket_id":"t2","report_id":"rep_1"})", catalog_)->digest(),
      one);
  const auto changed = MustLoad(absl::StrCat(kReader, "# a comment\n"), catalog_);
  EXPECT_NE(MustGrant({changed, tickets}, kBoth, catalog_)->digest(), one);
}

TEST_F(GrantTest, ResolvesNames) {
  const auto grant = MustGrant({MustLoad(kReader, catalog_)}, R"({"report_id":"rep_1"})", catalog_);
  EXPECT_EQ(grant->ResolveTool("reports_get_report"), "reports.get_report");
  EXPECT_EQ(grant->ResolveTool("reports.get_report"), "reports.get_report");
  EXPECT_EQ(grant->ResolveTool("mail.send_message"), "mail.send_message") << "offered";
  EXPECT_EQ(grant->ResolveTool("mail_send_message"), "mail.send_message") << "offered";
  EXPECT_EQ(grant->ResolveTool("tickets.get_ticket"), "") << "not a backend of the grant";
  EXPECT_EQ(grant->ResolveTool("get_report"), "");
  EXPECT_EQ(grant->ResolveTool(""), "");
  EXPECT_EQ(grant->ResolveTool("reports.g\xd0\xb5t_report"), "") << "a Cyrillic letter";
}

TEST_F(GrantTest, RefusesWithACode) {
  const auto changed = [](const char* text, const char* from, const char* to) {
    return absl::StrReplaceAll(text, {{from, to}});
  };
  struct Row {
    std::vector<std::string> skills;
    const char* bindings;
    const char* code;
    const char* message;
  };
  const Row kRows[] = {
      {{}, "{}", kNoSkill, "at least one skill"},
      {{kReader}, "{}", kMissingBinding, "`report_id` is not given"},
      {{kReader},
       R"({"report_id":"rep_1","report":"x"})",
       kUnwantedBinding,
       "no skill of the run has a binding `report`"},
      {{kReader}, R"({"report_id":"x"})", kBadBinding, "fails `pattern`"},
      {{kReader}, R"({"report_id":5})", kBadBinding, "fails `type`"},
      {{kReader}, R"({"report_id":"rep_\r\nx"})", kBadBinding, "fails `text`"},
      {{kReader}, R"({"report_id":"rep_1","people":[1]})", kBadBinding, "expected a string"},
      {{kReader}, "[]", kBadBinding, "no JSON object"},
      {{kReader, kMailAsReports},
       R"({"report_id":"rep_1"})",
       kAliasClash,
       "`reports` is stub:mailbox here and stub:reports"},
      {{kReader, changed(kReader, "skill: reader", "skill: other")},
       R"({"report_id":"rep_1"})",
       kFinalizeClash,
       "`submit` finalizes"},
      {{kReader, kReader}, R"({"report_id":"rep_1"})", kSkillTwice, "granted twice"},
      {{kReader, changed(kTickets, "tool: reports.get_report,",
                         "tool: reports.get_report, effect: write, unscoped: x,")},
       kBoth,
       kEffectClash,
       "`reports.get_report` is a write here and a read"},
      {{kReader, changed(kTickets, "default: [dana]", "default: [lee]")},
       kBoth,
       kDefaultClash,
       "different defaults for `people`"},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(std::string(row.code) + " " + row.message);
    std::vector<std::shared_ptr<const Skill>> skills;
    for (const std::string& text : row.skills) skills.push_back(MustLoad(text, catalog_));
    source::Diagnostics diagnostics;
    EXPECT_EQ(Grant::Make(skills, json::MustParse(row.bindings), catalog_, diagnostics), nullptr);
    ASSERT_FALSE(diagnostics.empty());
    EXPECT_EQ(diagnostics[0].code, row.code) << diagnostics[0].message;
    EXPECT_THAT(diagnostics[0].message, testing::HasSubstr(row.message));
  }
}

TEST_F(GrantTest, BindingsOfAllSkillsHold) {
  const auto reader = MustLoad(kReader, catalog_);
  const auto strict = MustLoad(
      absl::StrReplaceAll(kTickets, {{"ticket_id: {type: string}",
                                      "ticket_id: {type: string}\n  report_id: {type: string, "
                                      "maxLength: 5}"}}),
      catalog_);
  source::Diagnostics diagnostics;
  EXPECT_EQ(
      Grant::Make({reader, strict}, json::MustParse(R"({"report_id":"rep_123","ticket_id":"t"})"),
                  catalog_, diagnostics),
      nullptr);
  ASSERT_EQ(diagnostics.size(), 1);
  EXPECT_EQ(diagnostics[0].code, kBadBinding);
  EXPECT_THAT(diagnostics[0].message, testing::HasSubstr("maxLength"));
}

TEST_F(GrantTest, NoticesThatAToolChanged) {
  const BackendRef reports{BackendRef::Kind::kStub, "reports"};
  const auto skill = MustLoad(kReader, catalog_);
  const auto code = [&](const Catalog& catalog) {
    source::Diagnostics diagnostics;
    const auto grant =
        Grant::Make({skill}, json::MustParse(R"({"report_id":"rep_1"})"), catalog, diagnostics);
    return grant != nullptr ? "" : diagnostics[0].code;
  };
  FakeCatalog effect, schema, gone;
  effect.Add(reports, "get_report", call::Effect::kWrite,
             json::Dump(catalog_.ToolsOf(reports)->at(1).input_schema.root()));
  EXPECT_EQ(code(effect), kToolChanged);
  schema.Add(reports, "get_report", call::Effect::kRead, R"({"type":"object"})");
  EXPECT_EQ(code(schema), kToolChanged);
  gone.Remove(reports, "get_report");
  EXPECT_EQ(code(gone), kToolChanged);
  EXPECT_EQ(code(catalog_), "");
}

TEST_F(GrantTest, TwoToolsOfOnePublishedNameClash) {
  FakeCatalog catalog;
  const BackendRef reports{BackendRef::Kind::kStub, "reports"};
  catalog.Add(reports, "get-it", call::Effect::kRead, R"({"type":"object"})");
  catalog.Add(reports, "get.it", call::Effect::kRead, R"({"type":"object"})");
  catalog.Add(reports, "get_it", call::Effect::kRead, R"({"type":"object"})");
  const std::string text = R"(skill: a
backends: {r: {stub: reports}}
permissions:
  - {id: dotted, tool: r.get.it, args: {}}
  - {id: plain, tool: r.get_it, args: {}}
finalize: none
)";
  const auto skill = MustLoad(text, catalog);
  source::Diagnostics diagnostics;
  EXPECT_EQ(Grant::Make({skill}, json::MustParse("{}"), catalog, diagnostics), nullptr);
  ASSERT_EQ(diagnostics.size(), 1);
  EXPECT_EQ(diagnostics[0].code, kNameClash);
  EXPECT_THAT(diagnostics[0].message, testing::HasSubstr("`r_get_it`"));
  // A hyphen is kept, so this pair does not clash.
  MustGrant({MustLoad(absl::StrReplaceAll(text, {{"r.get.it", "r.get-it"}}), catalog)}, "{}",
            catalog);
}

}  // namespace
}  // namespace tipstaff::policy
