// One MCP server as somebody uses it: the session and what carries it, the timers of both, and a
// new connection when the old one is gone.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/mcp/client_session.h"
#include "mediator/upstream/transport.h"

namespace boost::asio {
class io_context;
}

namespace tipstaff::upstream {

// On the event loop's thread only; the loop outlives it. A callback may destroy it, and none comes
// after that.
class Link {
 public:
  // Makes what carries the messages, with the events that it is to report; or says why it cannot.
  using MakeTransport =
      std::function<absl::StatusOr<std::unique_ptr<Transport>>(Transport::Events)>;

  // How a request ended: one of the three.
  struct End {
    std::string result;  // as JSON
    std::optional<mcp::Answered::Error> error;
    struct NoAnswer {
      bool sent = false;  // the server may have acted on it
      std::string why;
    };
    std::optional<NoAnswer> no_answer;
  };
  struct Listener {
    std::function<void()>
        on_ready;  // a connection is there: after the first, and after each new one
    std::function<void(mcp::ListKind)> on_list_changed;
    std::function<void(const std::string& uri)> on_resource_updated;
    std::function<void(const std::string& text)> on_note;  // for the log, escaped
  };
  // Of one request.
  struct Watcher {
    std::function<void(End)> on_end;                          // once, unless it was cancelled
    std::function<void(const mcp::Progressed&)> on_progress;  // may be empty
    std::function<void(const std::string& params)> on_log;    // likewise
  };
  using OnListed = std::function<void(const mcp::Listed&)>;

  // `expected`: what the server was when it was last seen, which saves time where it is that still.
  Link(boost::asio::io_context& loop, mcp::Wire wire, MakeTransport make, Listener listener,
       std::optional<mcp::Generation> expected = std::nullopt);
  ~Link();

  // Connects, where it is not connected or about to be. An error when that cannot be tried: too
  // many connections ended by themselves, or the program cannot be started.
  absl::Status Connect();
  // Connects where that is needed. Returns a ticket; what cannot be sent ends at a later turn of
  // the loop.
  uint64_t Request(mcp::ClientRequest request, Watcher watcher);
  // Likewise, of a whole list.
  void List(mcp::ListKind kind, OnListed on_listed);
  // The server is told, and nothing is reported of it any more.
  void Cancel(uint64_t ticket, absl::string_view why);
  // Ends the connection at once: its process, with all that it started. All requests end without
  // an answer. `gone` once nothing is left; at once where there is nothing.
  void Kill(const std::string& why, std::function<void()> gone);

  bool ready() const;
  // Precondition: ready().
  const mcp::Peer& peer() const;

 private:
  class Impl;
  const std::shared_ptr<Impl> impl_;
};

}  // namespace tipstaff::upstream
