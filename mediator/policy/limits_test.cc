// Limits on use, and labels that refuse.
#include <gtest/gtest.h>

#include "mediator/policy/testing/fake_catalog.h"
#include "mediator/policy/testing/skill_text.h"

namespace tipstaff::policy {
namespace {

using call::Reason;

constexpr char kSkill[] = R"(skill: triage
description: Reads, then tells nobody.
bindings:
  report_id: {type: string}
scope: [report_id]
backends:
  reports: {stub: reports}
  tickets: {stub: tickets}
limits: {argument_bytes: 100, result_bytes: 1KiB, calls_per_minute: 4}
permissions:
  - id: read
    tool: reports.get_report
    args: {report_id: {equals: $report_id}}
    result: {marks: [untrusted, personal]}
    limits: {calls_per_minute: 2, result_bytes: 500}
  - id: search
    tool: tickets.search_tickets
    args: {query: {type: string}}
    refused_after: [untrusted]
    limits: {argument_bytes: 40}
finalize: none
)";
constexpr char kRead[] = R"({"report_id":"rep_a"})";

class LimitsTest : public testing::Test {
 protected:
  LimitsTest() { facts_.by_permission.resize(grant_->permission_count()); }

  Use& Of(const char* permission) {
    return facts_.by_permission[grant_->PermissionIndex("triage", permission)];
  }
  call::Decision Read() const {
    return Decide(*grant_, facts_, CallOf("reports.get_report", kRead));
  }
  call::Decision Search(const std::string& query) const {
    return Decide(*grant_, facts_,
                  CallOf("tickets.search_tickets", R"({"query":")" + query + R"("})"));
  }

  const FakeCatalog catalog_;
  const std::shared_ptr<const Grant> grant_ =
      MustGrant({MustLoad(kSkill, catalog_)}, R"({"report_id":"rep_a"})", catalog_);
  RunFacts facts_;
};

void ExpectLimit(const call::Decision& decision, const char* expected, const char* found, int line,
                 bool later) {
  ASSERT_EQ(decision.reason, Reason::kLimitExceeded);
  EXPECT_EQ(decision.nearest->constraint, "limits");
  EXPECT_EQ(decision.nearest->expected, expected);
  EXPECT_EQ(decision.nearest->found, found);
  EXPECT_EQ(decision.nearest->line, line);
  EXPECT_EQ(decision.may_pass_later, later);
}

TEST_F(LimitsTest, CallsPerMinuteOfAPermissionPassLater) {
  Of("read").last_minute = 1;
  EXPECT_EQ(Read().reason, Reason::kPermitted);
  Of("read").last_minute = 2;
  ExpectLimit(Read(), "at most 2 allowed calls in a minute by it",
              "2 in the minute before this one", 15, true);
}

TEST_F(LimitsTest, CallsPerMinuteOfTheRunComeFirst) {
  facts_.run.last_minute = 4;
  Of("read").last_minute = 2;
  ExpectLimit(Read(), "at most 4 allowed calls in a minute in the run",
              "4 in the minute before this one", 9, true);
}

TEST_F(LimitsTest, ArgumentsOfTheCallCount) {
  const std::string query(28, 'q');  // 40 bytes as an object
  EXPECT_EQ(Search(query).reason, Reason::kPermitted) << "to the byte";
  ExpectLimit(Search(query + "q"), "at most 40 B of arguments by it", "0 B before this one of 41 B",
              20, false);
  Of("search").argument_bytes = 28;
  EXPECT_EQ(Search("").reason, Reason::kPermitted);
  EXPECT_EQ(Search("q").reason, Reason::kLimitExceeded);
  Of("search").argument_bytes = 1000;
  EXPECT_EQ(Search("").reason, Reason::kLimitExceeded);
}

TEST_F(LimitsTest, ResultsCountBeforeTheNextCall) {
  Of("read").result_bytes = 499;
  EXPECT_EQ(Read().reason, Reason::kPermitted);
  Of("read").result_bytes = 500;
  ExpectLimit(Read(), "less than 500 B of results before a call by it", "500 B", 15, false);
  Of("read").result_bytes = 0;
  facts_.run.result_bytes = 1024;
  ExpectLimit(Read(), "less than 1.0 KiB of results before a call in the run", "1.0 KiB", 9, false);
}

TEST_F(LimitsTest, AnAllowedCallMarksTheRun) {
  EXPECT_EQ(Search("q").reason, Reason::kPermitted);
  Of("read").allowed = 1;  // whether it succeeded or not
  const call::Decision decision = Search("q");
  EXPECT_EQ(decision.reason, Reason::kMarked);
  EXPECT_EQ(decision.nearest->constraint, "refused_after");
  EXPECT_EQ(decision.nearest->permission, "search");
  EXPECT_EQ(decision.nearest->expected, "a run that is not marked `untrusted`");
  EXPECT_EQ(decision.nearest->found, "a call by `read` before");
  EXPECT_EQ(decision.nearest->line, 19);
  EXPECT_EQ(Read().reason, Reason::kPermitted) << "who marks is not refused";
}

TEST_F(LimitsTest, LabelsReachOverSkills) {
  const std::string other = R"(skill: other
description: Tells.
backends:
  tickets: {stub: tickets}
permissions:
  - id: look
    tool: tickets.get_ticket
    args: {ticket_id: {type: string}}
    refused_after: [personal]
finalize: none
)";
  source::Diagnostics diagnostics;
  const auto grant = MustGrant({MustLoad(kSkill, catalog_), MustLoad(other, catalog_)},
                               R"({"report_id":"rep_a"})", catalog_);
  RunFacts facts;
  facts.by_permission.resize(grant->permission_count());
  const call::Call look = CallOf("tickets.get_ticket", R"({"ticket_id":"t"})");
  EXPECT_EQ(Decide(*grant, facts, look).reason, Reason::kPermitted);
  facts.by_permission[grant->PermissionIndex("triage", "read")].allowed = 1;
  EXPECT_EQ(Decide(*grant, facts, look).reason, Reason::kMarked);
}

}  // namespace
}  // namespace tipstaff::policy
