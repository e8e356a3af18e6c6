#include "mediator/policy/skill_tests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/base/clock.h"
#include "mediator/policy/testing/skill_text.h"

namespace tipstaff::policy {
namespace {

constexpr char kSkill[] = R"(skill: a
bindings:
  report_id: {type: string, pattern: "^rep_"}
scope: [report_id]
backends: {reports: {stub: reports}}
permissions:
  - {id: read, tool: reports.get_report, args: {report_id: {equals: $report_id}}, limits: {calls: 1}}
  - id: submit
    tool: reports.submit_result
    after: [read]
    args: {report_id: {equals: $report_id}, severity: {type: string}, summary: {type: string}}
deny: [{id: no-attach, tool: "*.attach_*", reason: Never.}]
tests:
)";

struct Row {
  const char* name;
  const char* test;
  const char* message;  // of a failure; "" passes
};

TEST(RunTests, ComparesWhatIsExpected) {
  const Row kRows[] = {
      {"allowed", R"(run: {report_id: rep_a}
    call: {tool: reports.get_report, args: {report_id: rep_a}}
    expect: {decision: allow, reason: permitted, permission: read})",
       ""},
      {"denied", R"(run: {report_id: rep_a}
    call: {tool: reports.get_report, args: {report_id: rep_b}}
    expect: {decision: deny, reason: out_of_scope, nearest: read, at: /report_id})",
       ""},
      {"after", R"(run: {report_id: rep_a}
    after: [read]
    call: {tool: reports.submit_result, args: {report_id: rep_a, severity: low, summary: s}}
    expect: {decision: allow, permission: submit})",
       ""},
      {"not after", R"(run: {report_id: rep_a}
    call: {tool: reports.submit_result, args: {report_id: rep_a, severity: low, summary: s}}
    expect: {decision: deny, reason: precondition, nearest: submit})",
       ""},
      {"used up", R"(run: {report_id: rep_a}
    after: [read]
    call: {tool: reports.get_report, args: {report_id: rep_a}}
    expect: {decision: deny, reason: limit_exceeded, nearest: read})",
       ""},
      {"deny rule", R"(run: {report_id: rep_a}
    call: {tool: reports.attach_evidence, args: {}}
    expect: {decision: deny, reason: deny_rule, permission: no-attach})",
       ""},
      {"wrong decision", R"(run: {report_id: rep_a}
    call: {tool: reports.get_report, args: {report_id: rep_a}}
    expect: {decision: deny})",
       "expected deny; decided allow permitted by `read`"},
      {"wrong reason", R"(run: {report_id: rep_a}
    call: {tool: reports.get_report, args: {report_id: rep_b}}
    expect: {decision: deny, reason: argument_refused})",
       "expected reason `argument_refused`; decided deny out_of_scope (nearest `read`, equals at "
       "`/report_id`: expected `rep_a` (binding `report_id`), found `rep_b`)"},
      {"wrong permission", R"(run: {report_id: rep_a}
    call: {tool: reports.get_report, args: {report_id: rep_a}}
    expect: {decision: allow, permission: submit})",
       "expected permission `submit`"},
      {"wrong nearest", R"(run: {report_id: rep_a}
    call: {tool: reports.get_report, args: {}}
    expect: {decision: deny, nearest: submit})",
       "expected nearest `submit`"},
      {"wrong place", R"(run: {report_id: rep_a}
    call: {tool: reports.get_report, args: {}}
    expect: {decision: deny, at: /severity})",
       "expected at `/severity`"},
      {"no nearest", R"(run: {report_id: rep_a}
    call: {tool: reports.get_report, args: {report_id: rep_a}}
    expect: {decision: allow, nearest: read})",
       "expected nearest `read`"},
      {"bad binding", R"(run: {report_id: x}
    call: {tool: reports.get_report, args: {}}
    expect: {decision: deny})",
       "the run cannot be opened: the binding `report_id` fails `pattern`"},
      {"no binding", R"(call: {tool: reports.get_report, args: {}}
    expect: {decision: deny})",
       "the run cannot be opened: the binding `report_id` is not given"},
  };
  const FakeCatalog catalog;
  std::string text = kSkill;
  for (const Row& row : kRows)
    absl::StrAppend(&text, "  - name: ", row.name, "\n    ", row.test, "\n");
  const std::vector<TestResult> results =
      RunTests(MustLoad(text, catalog), catalog, base::SystemClock());
  ASSERT_EQ(results.size(), std::size(kRows));
  for (size_t i = 0; i < results.size(); ++i) {
    SCOPED_TRACE(kRows[i].name);
    EXPECT_EQ(results[i].name, kRows[i].name);
    EXPECT_EQ(results[i].passed, *kRows[i].message == '\0') << results[i].message;
    EXPECT_THAT(results[i].message, testing::HasSubstr(kRows[i].message));
    EXPECT_EQ(results[i].file, "skill.yaml");
    EXPECT_GT(results[i].line, 13);
  }
}

}  // namespace
}  // namespace tipstaff::policy
