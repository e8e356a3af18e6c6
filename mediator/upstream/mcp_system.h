// An MCP server as configured, approved and pinned, for runs that use it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "mediator/config/config.h"
#include "mediator/upstream/pins.h"

namespace tipstaff::upstream {

// Immutable, shared by runs.
struct McpSystem {
  config::McpServer server;
  Pins pins;
  absl::Time approved_until;
};

}  // namespace tipstaff::upstream
