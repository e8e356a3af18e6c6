// What one check found.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tipstaff::doctor {

enum class Level {
  kOk,
  kWarning,     // it works, but not as well as it could, or not for long
  kProblem,     // something cannot work
  kNotChecked,  // `what` says why
};
absl::string_view LevelName(Level level);  // "ok", "warning", "problem", "not checked"

struct Finding {
  std::string check;  // its name in the table
  Level level = Level::kOk;
  std::string what;  // one line; never a secret
  std::string fix;   // one line; "": none is needed
};

bool HasProblem(const std::vector<Finding>& findings);

}  // namespace tipstaff::doctor
