// What stands in a client's configuration for Tipstaff: how to start tipstaff-guest, or where it
// listens.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/clients/client.h"
#include "mediator/json/document.h"

namespace tipstaff::clients {

struct Server {
  // A process of the client's own, ...
  std::string command;  // absolute: a client's PATH is not that of a shell
  std::vector<std::string> arguments;
  // ... or a tipstaff-guest that serves HTTP at `url`,
  std::string url;
  // to clients that bear a token; the variable of the client's environment that has it. "": none.
  std::string token_variable;

  bool is_http() const { return !url.empty(); }
};

// InvalidArgument for a name that clients or models do not take: 1 to 32 of A-Z a-z 0-9 _ -, a
// letter or digit first (they make names of tools of it).
absl::Status CheckServerName(absl::string_view name);

// InvalidArgument unless `url` is http://127.0.0.1:PORT/mcp or http://[::1]:PORT/mcp: what
// tipstaff-guest serves, and nothing that leaves the machine.
absl::Status CheckUrl(absl::string_view url);

// The member of `servers_key` for the server. InvalidArgument for a client that is set up in
// Python, and where it cannot be told what `server` says.
absl::StatusOr<json::Document> Entry(const Client& client, const Server& server);

}  // namespace tipstaff::clients
