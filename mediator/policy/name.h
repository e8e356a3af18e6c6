// Names of skills, permissions, rules and backends.
#pragma once

#include "absl/strings/string_view.h"

namespace tipstaff::policy {

// 1 to 64 letters, digits, `-` and `_`, a letter first.
bool IsName(absl::string_view name);

}  // namespace tipstaff::policy
