// MCP servers that a mediator under test may use: pinned and signed for as an operator does it.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace tipstaff::harness {

class Mediator;

struct ApprovedServer {
  std::string name;
  std::string how;                 // "stdio: {...}" or "http: {...}", one line
  std::string stop = "none";       // as `stop` of tipstaff.yaml
  std::vector<std::string> reads;  // tools with no effect; all others are writes
  std::vector<std::string> more;   // further keys, "timeout: 2s"
};

// `people` and `upstreams` of tipstaff.yaml; "" for none. dana owns them all.
std::string ServersConfig(const std::vector<ApprovedServer>& servers);

// Pins each and signs for it, in the mediator's folder, before it starts; with a key that is made
// there. A tool of `reads` that a server does not list is an error.
absl::Status ApproveServers(const Mediator& mediator, const std::vector<ApprovedServer>& servers);

// The owner signs for a server as it is pinned now.
absl::Status ApproveServer(const Mediator& mediator, const std::string& name);

}  // namespace tipstaff::harness
