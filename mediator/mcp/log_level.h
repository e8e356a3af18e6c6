// The levels of MCP's log messages: those of RFC 5424.
#pragma once

#include <optional>

#include "absl/strings/string_view.h"

namespace tipstaff::mcp {

// 0 for "debug" up to 7 for "emergency"; nothing for a word that is no level.
std::optional<int> LogSeverity(absl::string_view level);

}  // namespace tipstaff::mcp
