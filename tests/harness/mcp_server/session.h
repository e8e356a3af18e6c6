// What a legacy server remembers of a client between `initialize` and the end. Over HTTP there are
// many, on stdio one; modern requests have none.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "tests/harness/mcp_server/channel.h"

namespace tipstaff::mcp_server {

struct Session {
  std::string id;       // over HTTP
  bool open = false;    // `initialize` came
  size_t requests = 0;  // since then
  std::string log_level = "info";
  std::set<std::string> resources;  // that it subscribed to
  std::weak_ptr<Channel> listener;  // for what no request waits for
};
using SessionPtr = std::shared_ptr<Session>;

}  // namespace tipstaff::mcp_server
