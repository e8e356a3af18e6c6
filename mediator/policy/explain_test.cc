#include "mediator/policy/explain.h"

#include <gtest/gtest.h>

#include "mediator/policy/testing/fake_catalog.h"
#include "mediator/policy/testing/skill_text.h"

namespace tipstaff::policy {
namespace {

using Came = Considered::Came;

constexpr char kSkill[] = R"(skill: triage
description: Searches in several ways.
bindings:
  report_id: {type: string}
backends:
  reports: {stub: reports}
  tickets: {stub: tickets}
permissions:
  - id: a-short
    tool: tickets.search_tickets
    args: {query: {type: string, maxBytes: 3}, status: {enum: [open]}}
  - id: b-any
    tool: tickets.search_tickets
    args: {query: {type: string}}
    limits: {calls: 1}
  - id: c-later
    tool: tickets.search_tickets
    args: {query: {type: string}}
    after: [read]
  - id: d-clean
    tool: tickets.search_tickets
    args: {query: {type: string}}
    refused_after: [seen]
  - id: read
    tool: reports.get_report
    args: {report_id: {equals: $report_id}}
    result: {marks: [seen]}
  - id: get
    tool: tickets.get_ticket
    args: {ticket_id: {type: string}}
deny:
  - {id: no-get, tool: "*.get_ticket", reason: Not this one.}
finalize: none
)";

class ExplainTest : public testing::Test {
 protected:
  ExplainTest() { facts_.by_permission.resize(grant_->permission_count()); }
  Use& Of(const char* permission) {
    return facts_.by_permission[grant_->PermissionIndex("triage", permission)];
  }
  Trace Search(const char* arguments) const {
    return Explain(*grant_, facts_, CallOf("tickets.search_tickets", arguments));
  }

  const FakeCatalog catalog_;
  const std::shared_ptr<const Grant> grant_ =
      MustGrant({MustLoad(kSkill, catalog_)}, R"({"report_id":"rep_a"})", catalog_);
  RunFacts facts_;
};

TEST_F(ExplainTest, EveryPermissionForTheToolSaysWhatItMadeOfTheCall) {
  Of("b-any").allowed = 1;
  Of("read").allowed = 1;
  const Trace trace = Search(R"({"query":"long"})");
  ASSERT_EQ(trace.considered.size(), 4u);
  EXPECT_EQ(trace.considered[0].permission, "a-short");
  EXPECT_EQ(trace.considered[0].came, Came::kArguments);
  EXPECT_EQ(trace.considered[0].constraints, 2u) << "too long, and no status";
  EXPECT_EQ(trace.considered[1].came, Came::kLimit);
  EXPECT_EQ(trace.considered[1].failed->line, 15);
  EXPECT_EQ(trace.considered[0].failed->length, 6)
      << "all of `status`, which is not given, is underlined";
  EXPECT_EQ(trace.considered[1].failed->length, 5) << "all of `calls`";
  EXPECT_EQ(trace.considered[2].came, Came::kPrecondition);
  EXPECT_EQ(trace.considered[2].failed->constraint, "after");
  EXPECT_EQ(trace.considered[3].came, Came::kMarked);
  EXPECT_EQ(trace.decision.reason, call::Reason::kPrecondition) << "it can still be met";
  EXPECT_FALSE(trace.denied.has_value());
}

TEST_F(ExplainTest, OneThatPermitsHasNothingThatFailed) {
  const Trace trace = Search(R"({"query":"long"})");
  EXPECT_EQ(trace.considered[1].came, Came::kPermits);
  EXPECT_FALSE(trace.considered[1].failed.has_value());
  EXPECT_EQ(trace.decision.permission, "b-any");
}

TEST_F(ExplainTest, ADenyRuleStandsBesideWhatItOverrides) {
  const Trace trace =
      Explain(*grant_, facts_, CallOf("tickets.get_ticket", R"({"ticket_id":"t"})"));
  ASSERT_TRUE(trace.denied.has_value());
  EXPECT_EQ(trace.denied->permission, "no-get");
  EXPECT_EQ(trace.considered.at(0).came, Came::kPermits);
  EXPECT_EQ(trace.decision.reason, call::Reason::kDenyRule);
}

TEST_F(ExplainTest, AToolThatNoPermissionNamesHasNoPermissionToConsider) {
  const Trace trace = Explain(*grant_, facts_, CallOf("reports.submit_result", "{}"));
  EXPECT_TRUE(trace.considered.empty());
  EXPECT_EQ(trace.decision.reason, call::Reason::kNoPermission);
}

}  // namespace
}  // namespace tipstaff::policy
