// What the official suite found, and what Tipstaff declines by design.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tipstaff::conformance {

// Which of the suite's two lists.
enum class Side { kServer, kClient };

// The scenarios that a revision requires, from the suite's own file requirements/REVISION.yaml.
// An error when there are none.
absl::StatusOr<std::vector<std::string>> RequiredScenarios(absl::string_view yaml, Side side);

// The lines of one side of an expected-failures file, which is the suite's own format:
// "  - scenario # why" or "  - scenario:check # why". A line with no reason is an error.
absl::StatusOr<std::vector<std::string>> ReadExpectedFailures(absl::string_view yaml, Side side);

// A check of a scenario. Checks of one name count as one: failed when any of them is.
using Checks = std::map<std::string, bool>;

// The content of checks.json. A warning is a failure.
absl::StatusOr<Checks> ReadChecks(const std::string& json);

// Every reason why the results are not what they should be, a line each; none: conformant.
// A required scenario without results, a failing check that is not expected, an expectation of
// what passes or of what is not there.
std::vector<std::string> Judge(const std::vector<std::string>& required,
                               const std::map<std::string, Checks>& results,
                               const std::vector<std::string>& expected);

}  // namespace tipstaff::conformance
