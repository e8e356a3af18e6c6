#include "mediator/upstream/make_transport.h"

#include <utility>

#include "mediator/base/status.h"
#include "mediator/upstream/http_transport.h"
#include "mediator/upstream/stdio_transport.h"

namespace tipstaff::upstream {
namespace {

StdioOptions StdioOptionsOf(const config::McpServer& server, const Secret* secret,
                            const Place& place) {
  StdioOptions options{.command = server.command,
                       .read = server.read,
                       .environment = server.environment,
                       .network = server.network,
                       .unconfined = !server.unconfined.empty(),
                       .scratch = place.scratch,
                       .lock_path = place.lock_path,
                       .hidden = place.hidden};
  if (secret != nullptr) options.environment.emplace_back(secret->name, secret->value);
  return options;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Transport>> MakeTransport(boost::asio::io_context& loop,
                                                         const config::McpServer& server,
                                                         const Secret* secret, const Place& place,
                                                         Transport::Events events) {
  if (server.url.empty()) {
    return MakeStdioTransport(loop, StdioOptionsOf(server, secret, place), std::move(events));
  }
  HttpOptions options{.url = server.url, .ca_file = server.ca};
  if (secret != nullptr) {
    options.credential_header = secret->name;
    options.credential_value = secret->value;
  }
  TIPSTAFF_RETURN_IF_ERROR(CheckHttpOptions(options));
  return MakeHttpTransport(loop, place.http, std::move(options), std::move(events));
}

}  // namespace tipstaff::upstream
