// The calling side of one MCP connection: what the broker wants goes in, what has to be sent comes
// out. Finds out which generation the server is of, keeps to it, and answers what a server may ask
// of a client (nothing: sampling, roots and elicitation are declined).
//
//   ClientSession session(Wire::kStdio, {"tipstaff", "1.0", ""});
//   Do(session.Start(now));                          // SendRequest: the probe
//   Do(session.OnMessage(line, now));                // ... Ready
//   uint64_t ticket;
//   Do(session.Request({.method = "tools/call", .params = ...}, now, ticket));
//   Do(session.OnMessage(line, now));                // ... Answered{ticket, ...}
//
// It owns its state, does no I/O and is not thread-safe. What a server says is untrusted: what is
// no message is noted and skipped, and an answer to nothing, or a second one, is ignored.
// Requests have ids of the session's own, from 1, never used twice in a connection, and progress
// tokens of its own. Members other than those that it owns pass as they came.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "mediator/json/document.h"
#include "mediator/mcp/message.h"
#include "mediator/mcp/version.h"

namespace tipstaff::mcp {

// What carries the messages. Over HTTP each request is a POST of its own, whose answer is JSON or a
// stream of events; over stdio all share two pipes.
enum class Wire { kStdio, kHttp };

// How long the first message may go unanswered before the server is taken for a legacy one.
inline constexpr absl::Duration kProbeTime = absl::Seconds(10);
// The same of `initialize`, whose silence makes the connection useless.
inline constexpr absl::Duration kInitializeTime = absl::Seconds(30);
// Of a list, over all its pages.
inline constexpr size_t kMaxListPages = 1000;
inline constexpr size_t kMaxListItems = 10'000;

// What a server is, once Ready. Immutable.
struct Peer {
  Generation generation = Generation::kLegacy;
  std::string version;          // "2025-11-25"
  json::Document capabilities;  // an object
  json::Document server_info;   // an object: name, version, title...
  std::string instructions;     // "": none

  bool Has(absl::string_view capability) const;  // "tools", "resources", "prompts", ...
};

// ---- what comes out ----

// A message to send, without a line feed. The members beside it are for HTTP's headers.
struct SendRequest {
  uint64_t id = 0;
  std::string message;
  std::string method;
  std::string name;     // Mcp-Name: of a call the tool, of a read the URI, ...; "": none
  std::string version;  // MCP-Protocol-Version; "": not agreed yet (`initialize`)
  bool modern = false;  // Mcp-Method and Mcp-Name go with it
};
struct SendNotification {  // or an answer to a server's request
  std::string message;
  std::string method;  // "" of an answer
  std::string version;
  bool modern = false;
};
// Nobody waits for the answer to that request: over HTTP its stream is to be closed.
struct ForgetRequest {
  uint64_t id = 0;
};
// The connection has to be made anew (a new process; over HTTP a new session), and OnConnected()
// called then. Nothing that was in flight gets another answer.
struct Reconnect {
  std::string why;
};
// Requests go out from now on; those that waited went out just before.
struct Ready {
  Peer peer;
};
// The end of a request: one of the two.
struct Answered {
  uint64_t ticket = 0;
  std::string result;  // the result as JSON, an object, as it came; "" when there is an error
  struct Error {
    int code = 0;
    std::string message;  // the server's words: untrusted, not escaped
    std::string data;     // as JSON; "": none
  };
  std::optional<Error> error;
};
// The end of a request that got no answer: the connection is gone, or another one took its place,
// or the server asked for input, which is declined. `sent`: the server may have acted on it.
struct Unanswered {
  uint64_t ticket = 0;
  bool sent = false;
  std::string why;
};
struct Progressed {
  uint64_t ticket = 0;
  double progress = 0;
  double total = 0;     // 0: not known
  std::string message;  // "": none; untrusted
};
// `notifications/message`: its params as JSON. `ticket` of the request that it belongs to where
// that is known (the stream of HTTP it came on), else 0.
struct Logged {
  uint64_t ticket = 0;
  std::string params;
};
enum class ListKind { kTools, kResources, kResourceTemplates, kPrompts };
struct ListChanged {
  ListKind kind = ListKind::kTools;  // kResources: templates too
};
struct ResourceUpdated {
  std::string uri;
};
// A whole list, all pages, of items as they came. Instead of Answered.
struct Listed {
  uint64_t ticket = 0;
  std::vector<std::string> items;  // each a JSON object
  std::string error;               // "": none; else `items` is empty
};
// For the log, escaped and cut: what the server said out of turn.
struct PeerNote {
  std::string text;
};
// The connection is of no use: what is asked from now on is Unanswered.
struct Unusable {
  std::string why;
};
using ClientOutput = std::variant<SendRequest, SendNotification, ForgetRequest, Reconnect, Ready,
                                  Answered, Unanswered, Progressed, Logged, ListChanged,
                                  ResourceUpdated, Listed, PeerNote, Unusable>;
using ClientOutputs = std::vector<ClientOutput>;

// ---- what goes in ----

struct ClientRequest {
  std::string method;     // "tools/call"
  std::string params;     // a JSON object without `_meta`
  std::string name = "";  // Mcp-Name
  bool want_progress = false;
  std::string log_level = "";  // the least of what is logged for it; "": nothing is wanted
};

class ClientSession {
 public:
  ClientSession(Wire wire, ServerInfo self) : wire_(wire), self_(std::move(self)) {}

  // Once, when there is a connection.
  ClientOutputs Start(absl::Time now);
  // After Reconnect.
  ClientOutputs OnConnected(absl::Time now);
  // The connection, or the attempt to make one, is over: a process exited, an address refused.
  // While the generation is being found out this means `initialize` is tried; later all that is in
  // flight is Unanswered, and so is what is asked until OnConnected().
  ClientOutputs OnGone(absl::string_view how, absl::Time now);

  // A line, a body, or the data of an event. `request`: over HTTP the id of the request whose
  // response it came in, else 0.
  ClientOutputs OnMessage(absl::string_view bytes, absl::Time now, uint64_t request = 0);
  // Over HTTP: the request of that id got no usable response. `status` 0: none at all (`body` says
  // how), `sent`: it may have arrived. A body that is a JSON-RPC error counts as the answer.
  ClientOutputs OnHttpFailure(uint64_t request, int status, absl::string_view body, bool sent,
                              absl::Time now);
  // Over HTTP: the response to that request ended, in good order. One that had no answer in it is
  // Unanswered.
  ClientOutputs OnResponseEnd(uint64_t request, absl::Time now);
  // When it is to be called with the time, at the latest; nothing for never.
  std::optional<absl::Time> deadline() const;
  ClientOutputs OnTime(absl::Time now);

  // Asks now, or when Ready. `ticket` is set; it is never used twice.
  ClientOutputs Request(ClientRequest request, absl::Time now, uint64_t& ticket);
  // All pages.
  ClientOutputs List(ListKind kind, absl::Time now, uint64_t& ticket);
  // Nobody waits any more. `notifications/cancelled` goes out at once where it was sent; nothing
  // comes for the ticket any more. `initialize` is never cancelled.
  ClientOutputs Cancel(uint64_t ticket, absl::string_view why);
  // A notification of the client's own, when Ready; dropped else.
  ClientOutputs Notify(absl::string_view method, absl::string_view params);

  bool ready() const;
  // Precondition: ready().
  const Peer& peer() const;
  size_t requests_in_flight() const;

 private:
  const Wire wire_;
  const ServerInfo self_;
};

}  // namespace tipstaff::mcp
