// JSON pointers (RFC 6901).
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "mediator/json/document.h"

namespace tipstaff::json {

// A member's name as a pointer has it: `~` is `~0`, `/` is `~1`.
std::string PointerToken(absl::string_view key);
// What `pointer` leads to in `root`; missing where it leads nowhere.
Value ValueAt(Value root, absl::string_view pointer);

}  // namespace tipstaff::json
