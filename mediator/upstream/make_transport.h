// What carries the messages to a server as it is configured.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/config/config.h"
#include "mediator/upstream/credential.h"
#include "mediator/upstream/transport.h"

namespace boost::asio {
class io_context;
}

namespace tipstaff::upstream {

class HttpClient;

// Of a run, or of whoever else starts servers.
struct Place {
  std::string scratch;              // a folder for the server; made where it is missing
  std::string lock_path;            // mediator/backend/process_lock.h
  std::vector<std::string> hidden;  // paths that no server may see
  std::shared_ptr<HttpClient> http;
};

// `secret` may be null.
absl::StatusOr<std::unique_ptr<Transport>> MakeTransport(boost::asio::io_context& loop,
                                                         const config::McpServer& server,
                                                         const Secret* secret, const Place& place,
                                                         Transport::Events events);

}  // namespace tipstaff::upstream
