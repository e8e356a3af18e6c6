// What a modern server is asked to tell of: a stream that is opened with `subscriptions/listen`, in
// place of which legacy servers tell by themselves or after `resources/subscribe`.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "mediator/upstream/link.h"

namespace tipstaff::upstream {

// What it asks for as JSON, of a server with these capabilities.
std::string ListenParams(const mcp::Peer& peer, const std::set<std::string>& uris);

// On the event loop's thread only; `link` outlives it.
class Listening {
 public:
  explicit Listening(Link& link) : link_(link) {}

  // With each new connection. Nothing where the server is a legacy one.
  void Begin();
  // Precondition: the server is a modern one.
  void Add(const std::string& uri);

 private:
  void Ask();

  Link& link_;
  uint64_t ticket_ = 0;  // of the stream; 0: none
  std::set<std::string> uris_;
};

}  // namespace tipstaff::upstream
