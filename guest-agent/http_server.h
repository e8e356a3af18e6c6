// MCP over Streamable HTTP on a loopback address, for both generations.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "guest-agent/agent.h"
#include "guest-agent/connection.h"
#include "guest-agent/options.h"
#include "mediator/mcp/version.h"

namespace tipstaff::guest_agent {

class HttpServer {
 public:
  // Binds. `token`: what clients have to bear; "": nothing. `log` is called from several threads.
  static absl::StatusOr<std::unique_ptr<HttpServer>> Listen(const HttpAddress& address,
                                                            std::string token, mcp::ServerInfo info,
                                                            Connection::Dial dial,
                                                            Connection::Token run_token,
                                                            Agent::Log log);
  virtual ~HttpServer() = default;

  // "http://127.0.0.1:8787/mcp"
  virtual std::string url() const = 0;
  // Serves until SIGTERM or SIGINT; then cancels what is under way.
  virtual void Run() = 0;
};

}  // namespace tipstaff::guest_agent
