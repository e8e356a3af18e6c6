// MCP servers in place of the test systems: tipstaff-test-mcp-server, which keeps the same account.
// There are killable (confined: it writes into its scratch folder, where the account has a second
// name), queryable and unstoppable; and receiver, which is a test system.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "tests/harness/mediator.h"

namespace tipstaff::crash {

// Pins and approves all of them.
absl::Status MakeAllUsable(const harness::Mediator& mediator);
// Their lines of tipstaff.yaml, and their skills: those of the test systems.
void AddServers(const std::string& timeout, harness::MediatorOptions& options);

}  // namespace tipstaff::crash
