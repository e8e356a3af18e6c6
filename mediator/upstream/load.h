// An MCP server's files: its pins, and who signed for them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "mediator/config/config.h"
#include "mediator/upstream/mcp_system.h"

namespace tipstaff::upstream {

struct PinnedServer {
  config::McpServer server;
  Pins pins;
  std::string pins_text;  // the file's
};

// NotFound where nothing is pinned yet, InvalidArgument where the file does not check; the message
// names the file and the command that mends it.
absl::StatusOr<PinnedServer> ReadPins(const config::McpServer& server);
absl::StatusOr<PinnedServer> ParsePins(const config::McpServer& server, std::string text);

struct ApprovedServer {
  std::shared_ptr<const McpSystem> system;
  std::string sign_off_text;
  std::string by;
};

// PermissionDenied without a valid sign-off at `now`, with the command that mends it.
absl::StatusOr<ApprovedServer> ReadApproval(PinnedServer pinned,
                                            absl::Span<const config::Person> people,
                                            absl::Time now);

}  // namespace tipstaff::upstream
