// The result of a call, for a terminal.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::cli {

// A line `result TEXT` for each text of a CallToolResult, escaped. What has no text, or is no such
// result, stands there as it came; "" for none.
std::string RenderResult(absl::string_view result);

}  // namespace tipstaff::cli
