#include "mediator/policy/coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "mediator/base/clock.h"
#include "mediator/policy/testing/skill_text.h"

namespace tipstaff::policy {
namespace {

constexpr char kSkill[] = R"(skill: triage
bindings: {mine: {type: string}}
backends: {tickets: {stub: tickets}, reports: {stub: reports}}
finalize: none
permissions:
  - id: search
    tool: tickets.search_tickets
    args:
      query: {type: string, maxBytes: 5, pattern: "^[a-z]*$"}
      status: {type: string, optional: true}
      limit:
        optional: true
        type: [integer, array, object]
        uniqueItems: false
        not: {const: 7}
        properties: {a: {type: array, items: {enum: [x]}}, b: {}}
        required: [a, b]
        additionalProperties: false
  - id: read
    tool: reports.get_report
    args: {report_id: {equals: $mine}}
deny:
  - {id: no-get, tool: "*.get_ticket", reason: Not this one.}
tests:
)";

// What is not exercised by these tests, in the form of a flow mapping without name and braces.
std::string Idle(const std::vector<const char*>& tests) {
  std::string text = kSkill;
  int number = 0;
  for (const char* test : tests) {
    absl::StrAppend(&text, "  - {name: t", ++number, ", run: {mine: m}, ", test, "}\n");
  }
  if (tests.empty()) text.resize(text.size() - sizeof "tests:");
  const FakeCatalog catalog;
  const auto skill = MustLoad(text, catalog);
  if (skill == nullptr) return "";
  std::vector<std::string> idle;
  for (const Covered& one : CoverageOf(*skill, RunTests(skill, catalog, base::SystemClock()))) {
    EXPECT_GT(one.line, 4);
    if (!one.exercised) idle.push_back(one.ToString());
  }
  return absl::StrJoin(idle, "\n");
}

constexpr char kAll[] = R"(permission `search`
`maxBytes` of `/query` in permission `search`
`pattern` of `/query` in permission `search`
`type` of `/status` in permission `search`
`not` of `/limit` in permission `search`
`required` of `/limit` in permission `search`
`additionalProperties` of `/limit` in permission `search`
`enum` of `/limit/a/*` in permission `search`
permission `read`
`equals` of `/report_id` in permission `read`
deny rule `no-get`)";

TEST(Coverage, ListsWhatCallsCanFailAt) { EXPECT_EQ(Idle({}), kAll); }

std::string Without(const std::string& line) {
  std::vector<std::string> lines;
  for (absl::string_view one : absl::StrSplit(absl::string_view(kAll), '\n')) {
    if (one != line) lines.emplace_back(one);
  }
  return absl::StrJoin(lines, "\n");
}

TEST(Coverage, ATestExercisesWhatDecidedIt) {
  struct Row {
    const char* test;
    const char* exercised;
  };
  const Row kRows[] = {
      {"call: {tool: tickets.search_tickets, args: {query: a}}, expect: {decision: allow}",
       "permission `search`"},
      {"call: {tool: tickets.search_tickets, args: {query: abcdef}}, expect: {decision: deny}",
       "`maxBytes` of `/query` in permission `search`"},
      {"call: {tool: tickets.search_tickets, args: {query: A}}, expect: {decision: deny}",
       "`pattern` of `/query` in permission `search`"},
      {"call: {tool: tickets.search_tickets, args: {query: a, status: 5}}, expect: {decision: "
       "deny}",
       "`type` of `/status` in permission `search`"},
      {"call: {tool: tickets.search_tickets, args: {query: a, limit: 7}}, expect: {decision: deny}",
       "`not` of `/limit` in permission `search`"},
      {"call: {tool: tickets.search_tickets, args: {query: a, limit: {a: [x]}}}, "
       "expect: {decision: deny}",
       "`required` of `/limit` in permission `search`"},
      {"call: {tool: tickets.search_tickets, args: {query: a, limit: {a: [x], b: 1, c: 1}}}, "
       "expect: {decision: deny}",
       "`additionalProperties` of `/limit` in permission `search`"},
      {"call: {tool: tickets.search_tickets, args: {query: a, limit: {a: [z], b: 1}}}, "
       "expect: {decision: deny}",
       "`enum` of `/limit/a/*` in permission `search`"},
      {"call: {tool: reports.get_report, args: {report_id: m}}, expect: {decision: allow}",
       "permission `read`"},
      {"call: {tool: reports.get_report, args: {report_id: x}}, expect: {decision: deny}",
       "`equals` of `/report_id` in permission `read`"},
      {"call: {tool: tickets.get_ticket, args: {}}, expect: {decision: deny}",
       "deny rule `no-get`"},
  };
  for (const Row& row : kRows) EXPECT_EQ(Idle({row.test}), Without(row.exercised)) << row.test;
}

// Also of a permission whose calls a person approves, and of one schema for all arguments.
TEST(Coverage, SeesHeldCallsAndWholeSchemas) {
  const FakeCatalog catalog;
  const auto skill = MustLoad(R"(skill: a
backends: {reports: {stub: reports}}
finalize: none
permissions:
  - id: read
    tool: reports.get_report
    approval: {by: [leads]}
    schema:
      type: object
      properties: {report_id: {enum: [a, b]}}
      required: [report_id]
      unevaluatedProperties: false
tests:
  - name: t1
    call: {tool: reports.get_report, args: {report_id: a}}
    expect: {decision: hold}
  - name: t2
    call: {tool: reports.get_report, args: {report_id: a, more: b}}
    expect: {decision: deny}
)",
                              catalog);
  ASSERT_NE(skill, nullptr);
  std::vector<std::string> idle, exercised;
  for (const Covered& one : CoverageOf(*skill, RunTests(skill, catalog, base::SystemClock()))) {
    (one.exercised ? exercised : idle).push_back(one.ToString());
  }
  EXPECT_THAT(exercised, testing::ElementsAre(
                             "permission `read`",
                             "`unevaluatedProperties` of the arguments in permission `read`"));
  EXPECT_THAT(idle, testing::ElementsAre("`required` of the arguments in permission `read`",
                                         "`enum` of `/report_id` in permission `read`"));
}

TEST(Coverage, OtherTestsExerciseNothing) {
  EXPECT_EQ(Idle({"call: {tool: reports.get_report, args: {report_id: m}}, "
                  "expect: {decision: deny}"}),
            kAll)
      << "one that fails";
  EXPECT_EQ(Idle({"call: {tool: reports.get_report, args: {}}, expect: {decision: deny}"}), kAll)
      << "an argument that is missing";
  EXPECT_EQ(Idle({"call: {tool: reports.submit_result, args: {}}, expect: {decision: deny}"}), kAll)
      << "a tool that no permission names";
}

}  // namespace
}  // namespace tipstaff::policy
