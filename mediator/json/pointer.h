// JSON pointers (RFC 6901).
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::json {

// A member's name as a pointer has it: `~` is `~0`, `/` is `~1`.
std::string PointerToken(absl::string_view key);

}  // namespace tipstaff::json
