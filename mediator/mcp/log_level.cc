#include "mediator/mcp/log_level.h"

namespace tipstaff::mcp {

std::optional<int> LogSeverity(absl::string_view level) {
  constexpr absl::string_view kLevels[] = {"debug", "info",     "notice", "warning",
                                           "error", "critical", "alert",  "emergency"};
  int severity = 0;
  for (const absl::string_view known : kLevels) {
    if (level == known) return severity;
    ++severity;
  }
  return std::nullopt;
}

}  // namespace tipstaff::mcp
