// What `tipstaff upstream` does with a server of tipstaff.yaml.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "mediator/cli/settings.h"
#include "mediator/config/config.h"
#include "mediator/upstream/pins.h"

namespace tipstaff::cli {

// NotFound names the ones that there are.
absl::StatusOr<config::McpServer> FindServer(const config::Config& config, const std::string& name);

// Starts it or connects to it, as a run would, asks for all that it lists, and ends it. Its notes
// go to standard error. Blocks; a server that says nothing ends it in a minute.
absl::StatusOr<upstream::Inventory> AskServer(const config::Config& config,
                                              const config::McpServer& server);

}  // namespace tipstaff::cli
