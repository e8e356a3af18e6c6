// The tests that a skill carries: `tests:` in skill.yaml.
//
//   - name: another report is refused
//     run: {report_id: rep_aaaaaaaa}            # the bindings
//     after: [read-own-report]                  # calls that succeeded before, one for each entry
//     call: {tool: reports.get_report, args: {report_id: rep_bbbbbbbb}}
//     expect: {decision: deny, reason: out_of_scope, nearest: read-own-report, at: /report_id}
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mediator/policy/skill.h"

namespace tipstaff::policy {

struct TestResult {
  std::string name;
  bool passed = false;
  std::string message;  // of a failure: what was expected and what was decided; else ""
  std::string file;     // where the test stands
  int line = 0;
};

// Opens a grant of `skill` alone for each test, in the order of the file, and compares decisions.
// `expect` may leave out any key but `decision`; `permission` is what allowed (or the deny rule),
// `nearest` and `at` the permission that came nearest and the argument that failed.
std::vector<TestResult> RunTests(const std::shared_ptr<const Skill>& skill, const Catalog& catalog);

}  // namespace tipstaff::policy
