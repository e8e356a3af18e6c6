// An MCP server behind the Backend interface.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "mediator/backend/backend.h"
#include "mediator/upstream/credential.h"
#include "mediator/upstream/link.h"
#include "mediator/upstream/mcp_system.h"

namespace boost::asio {
class io_context;
}

namespace tipstaff::upstream {

// What a run is told of its server, out of turn.
struct ServerEvents {
  std::function<void(call::Kind)> on_list_changed;  // of what agents are shown
  std::function<void(const std::string& uri)> on_resource_updated;
  std::function<void(const std::string& note)> on_note;  // for the log
};

// What carries the messages; `secret` is null where the server has no credential.
using MakeTransportWith = std::function<absl::StatusOr<std::unique_ptr<Transport>>(
    const Secret* secret, Transport::Events events)>;

// Calls wait until what the server lists has been compared with the pins; again so after each
// `list_changed` and each new connection. What has changed since, or is gone, is refused. On the
// loop's thread only; the loop outlives it.
std::unique_ptr<backend::Backend> MakeMcpBackend(boost::asio::io_context& loop,
                                                 std::shared_ptr<const McpSystem> system,
                                                 std::string run, MakeTransportWith make,
                                                 ServerEvents events);

}  // namespace tipstaff::upstream
