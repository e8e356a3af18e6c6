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
#include "mediator/mcp/client_message.h"
#include "mediator/mcp/list_pages.h"
#include "mediator/mcp/version.h"

namespace tipstaff::mcp {

// What carries the messages. Over HTTP each request is a POST of its own, whose answer is JSON or a
// stream of events; over stdio all share two pipes.
enum class Wire { kStdio, kHttp };

// How long the first message may go unanswered before the server is taken for a legacy one.
inline constexpr absl::Duration kProbeTime = absl::Seconds(10);
// The same of `initialize`, whose silence makes the connection useless; and how long OnConnected()
// may be awaited after Reconnect before what waits for it is given up.
inline constexpr absl::Duration kInitializeTime = absl::Seconds(30);
// Of one connection; a last note says that there are more.
inline constexpr int kMaxPeerNotes = 100;

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
  bool modern = false;  // Mcp-Method, Mcp-Name and the next go with it
  std::vector<std::pair<std::string, std::string>> params = {};  // Mcp-Param-*, not yet encoded
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
struct ListChanged {
  ListKind kind = ListKind::kTools;  // kResources: templates too
};
struct ResourceUpdated {
  std::string uri;
};
// A whole list, all pages, of items as they came. Instead of Answered; a list whose connection is
// lost is Unanswered.
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
  std::vector<std::pair<std::string, std::string>> params_headers = {};  // see ParamHeaders()
};

class ClientSession {
 public:
  // `self`: its name and version go out. `expected`: what the server was found to be before; that
  // is tried first then, which spares a legacy server on stdio its second start.
  ClientSession(Wire wire, ServerInfo self, std::optional<Generation> expected = std::nullopt);

  // Once, when there is a connection.
  ClientOutputs Start(absl::Time now);
  // After Reconnect.
  ClientOutputs OnConnected(absl::Time now);
  // The connection, or the attempt to make one, is over: a process exited, an address refused.
  // While the generation is being found out this means `initialize` is tried; later all that is in
  // flight is Unanswered, and so is what is asked until OnConnected(). The end of the connection
  // that Reconnect gave up tells it nothing.
  ClientOutputs OnGone(absl::string_view how, absl::Time now);

  // A line, a body, or the data of an event. `request`: over HTTP the id of the request whose
  // response it came in, else 0.
  ClientOutputs OnMessage(absl::string_view bytes, absl::Time now, uint64_t request = 0);
  // Over HTTP: the request of that id got no usable response. `status` 0: none at all (`body` says
  // how), `sent`: it may have arrived. A body that is a JSON-RPC error counts as the answer. By a
  // redirect, or a status such as 401 or 413, the server says that it did nothing: not `sent` then.
  // From a legacy server 404 says that the session is gone: all is Unanswered, then Reconnect.
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
  // Of a request that was sent, by its id: whether its answer is still awaited.
  bool IsInFlight(uint64_t request) const;
  size_t requests_in_flight() const;

 private:
  enum class Phase {
    kNew,           // Start() is due
    kProbing,       // `server/discover` is out
    kInitializing,  // `initialize` is out
    kReady,
    kReconnecting,  // OnConnected() is due
    kGone,          // there is no connection; OnConnected() may come
    kUnusable,
  };
  // A caller's request. `list`: of List(), what its pages gave so far.
  struct Asked {
    uint64_t ticket = 0;
    ClientRequest request;
    std::optional<ListPages> list;
  };
  using InFlight = std::map<uint64_t, Asked>;  // by id

  // client_session.cc
  ClientOutputs Take();
  void Ask(Asked asked);
  void SendAsked(Asked asked);
  void EndUnanswered(const Asked& asked, bool sent, absl::string_view why);
  void EndAll(absl::string_view why);
  void EndWaiting(absl::string_view why);

  // client_handshake.cc
  void Begin(absl::Time now);
  void Probe(absl::Time now);
  void Initialize(absl::Time now);
  void SendHandshake(absl::string_view method, absl::string_view params, absl::Time now,
                     absl::Duration time);
  void OnHandshakeAnswer(const Answer& answer, absl::Time now);
  void OnHandshakeFailure(absl::string_view why, absl::Time now);
  void OnDiscovered(json::Value result, absl::Time now);
  void OnInitialized(json::Value result, absl::Time now);
  void OnProbeError(const Answer& answer, absl::Time now);
  void OnInitializeError(const Answer& answer, absl::Time now);
  void Fall(Generation to, absl::string_view why, absl::Time now);
  void Break(absl::string_view why, absl::Time now);
  void BecomeReady(Peer peer);
  void GiveUp(absl::string_view why);

  // client_answers.cc
  void OnAnswer(const Answer& answer, uint64_t stream, absl::Time now);
  void Settle(InFlight::iterator at, const Answer& answer);
  void SettlePage(InFlight::iterator at, const Answer& answer);
  void OnSessionGone(uint64_t request, absl::Time now);

  // client_notices.cc
  void OnServerRequest(const ServerMessage& message);
  void OnServerNotification(const ServerMessage& message, uint64_t stream);
  void OnProgress(json::Value params, uint64_t stream);
  void OnServerCancel(json::Value params);
  void Note(absl::string_view text);

  const Wire wire_;
  const ServerInfo self_;
  Phase phase_ = Phase::kNew;
  bool connected_ = false;            // what OnGone() has not ended
  Generation next_;                   // what a connection begins with
  int probes_ = 0, initializes_ = 0;  // of this handshake
  bool proven_ = false;               // there was a Ready
  std::string version_;               // of the protocol, as proposed or agreed
  uint64_t handshake_id_ = 0;         // of the request that is out; 0: none
  std::optional<absl::Time> deadline_;
  Peer peer_;
  uint64_t last_id_ = 0, last_ticket_ = 0;
  std::deque<Asked> waiting_;
  InFlight in_flight_;
  std::deque<uint64_t> forgotten_;  // ids whose late answers are nothing to note
  int notes_ = 0;
  ClientOutputs out_;
};

}  // namespace tipstaff::mcp
