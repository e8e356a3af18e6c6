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

#include "absl/time/time.h"
#include "mediator/base/clock.h"
#include "mediator/policy/explain.h"
#include "mediator/policy/skill.h"

namespace tipstaff::policy {

struct TestResult {
  std::string name;
  bool passed = false;
  std::string message;  // of a failure: what was expected and what was decided; else ""
  std::string file;     // where the test stands
  int line = 0;
  absl::Duration took;
  // How it was decided; null and empty when the run could not be opened.
  std::shared_ptr<const Grant> grant;
  Trace trace;
};

// Opens a grant of `skill` alone for each test, in the order of the file, and compares decisions.
// `expect` may leave out any key but `decision`; `permission` is what allowed (or the deny rule),
// `nearest` and `at` the permission that came nearest and the argument that failed. `clock` says
// how long each took; no decision sees it.
std::vector<TestResult> RunTests(const std::shared_ptr<const Skill>& skill, const Catalog& catalog,
                                 const base::Clock& clock);

}  // namespace tipstaff::policy
