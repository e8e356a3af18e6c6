#include "mediator/doctor/finding.h"

#include <algorithm>

namespace tipstaff::doctor {

absl::string_view LevelName(Level level) {
  switch (level) {
    case Level::kOk:
      return "ok";
    case Level::kWarning:
      return "warning";
    case Level::kProblem:
      return "problem";
    case Level::kNotChecked:
      return "not checked";
  }
  return "problem";
}

bool HasProblem(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.level == Level::kProblem; });
}

}  // namespace tipstaff::doctor
