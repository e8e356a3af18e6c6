// Text of a file or a message, made safe for a terminal.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::source {

// base::Escape(), except that a backslash stands as it is: patterns stay readable, and text that
// was escaped before is not escaped twice.
std::string Printable(absl::string_view text);

// What a user wrote, as messages name it: in backticks, escaped, cut to 60 columns.
std::string InTicks(absl::string_view text);

}  // namespace tipstaff::source
