// The rules of Streamable HTTP: sessions and headers, without sockets.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "tests/harness/mcp_server/server.h"

namespace tipstaff::mcp_server {

struct HttpRequest {
  std::string method, target, body;
  std::map<std::string, std::string> headers;  // names in lower case

  std::string header(const std::string& name) const {
    const auto at = headers.find(name);
    return at == headers.end() ? "" : at->second;
  }
};

// A response without a message in it, or with an error.
struct Plain {
  int status = 200;
  std::string body;  // JSON; "": none
  std::string location = "";
};

class Endpoint {
 public:
  Endpoint(const Options& options, Server& server) : options_(options), server_(server) {}
  void set_port(uint16_t port) { port_ = port; }
  const Options& options() const { return options_; }

  // The response, when it is known at once. Nothing: it goes to `channel`.
  std::optional<Plain> Take(const HttpRequest& request, const ChannelPtr& channel);
  void Closed(const Channel* channel) { server_.Closed(channel); }

 private:
  std::optional<Plain> Post(const HttpRequest& request, const ChannelPtr& channel);
  std::optional<Plain> OnSession(const HttpRequest& request, const ChannelPtr& channel);
  std::optional<Plain> PostLegacy(const HttpRequest& request, const mcp::Message& message,
                                  const ChannelPtr& channel);

  const Options& options_;
  Server& server_;
  uint16_t port_ = 0;
  std::map<std::string, SessionPtr> sessions_;
  size_t opened_ = 0;
};

}  // namespace tipstaff::mcp_server
