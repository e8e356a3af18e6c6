// The serving side of one MCP connection: what a client sends goes in, what has to be done comes
// out. Serves both generations, per request: a request that says its version in `_meta` is served
// by modern rules, and `initialize` opens a legacy session for the rest.
//
//   ServerSession session({"tipstaff-guest", "1.0", ""});
//   for (const Output& output : session.OnMessage(line)) ...  // Send, WantList, WantCall, ...
//   session.OnCallEnd(ticket, {.result = ...});               // the answer to a WantCall
//
// It owns its state, does no I/O and is not thread-safe. Each request that takes time has a ticket
// of the session's own, never used twice, so that answers cannot be swapped whatever ids the
// client chooses; an event whose ticket is over (answered or cancelled) is ignored.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/mcp/catalog.h"
#include "mediator/mcp/message.h"
#include "mediator/mcp/methods.h"
#include "mediator/mcp/session_events.h"
#include "mediator/mcp/version.h"

namespace tipstaff::mcp {

inline constexpr size_t kMaxRequestsInFlight = 256;
// Resources that one `subscriptions/listen` may name, and that a legacy session may subscribe to.
inline constexpr size_t kMaxSubscriptions = 64;
inline constexpr size_t kMaxUriBytes = 8 << 10;
// How long `initialize` and `server/discover` wait for what the run has.
inline constexpr absl::Duration kCapabilitiesPatience = absl::Seconds(5);

// The arguments of a call about a resource.
std::string UriArguments(absl::string_view uri);

// What a client says of itself.
struct ClientInfo {
  std::string name;
  std::string version;
};

// Numbers that are never used twice; for several sessions whose tickets are to differ.
class Tickets {
 public:
  uint64_t Next() { return ++last_; }

 private:
  uint64_t last_ = 0;
};

class ServerSession {
 public:
  // `tickets` must outlive this; without one the session counts by itself.
  explicit ServerSession(ServerInfo info, Tickets* tickets = nullptr)
      : info_(std::move(info)), tickets_(tickets != nullptr ? tickets : &own_tickets_) {}
  ServerSession(const ServerSession&) = delete;
  ServerSession& operator=(const ServerSession&) = delete;

  // From the client: a message, or that it sent one that is too long to be read.
  std::vector<Output> OnMessage(absl::string_view bytes);
  std::vector<Output> OnTooLong(size_t max_bytes);
  // The client does not wait for that request any more: as if it had cancelled it.
  std::vector<Output> OnGone(uint64_t ticket);

  // Answers. A list is as old as the answer to it: the session keeps none.
  std::vector<Output> OnList(uint64_t ticket, const absl::StatusOr<CatalogPtr>& catalog);
  std::vector<Output> OnProgress(uint64_t ticket, const CallProgress& progress);
  std::vector<Output> OnLog(uint64_t ticket, absl::string_view params);
  std::vector<Output> OnCallEnd(uint64_t ticket, const CallEnd& end);
  // Of its own accord.
  std::vector<Output> OnChange(const Change& change);

  // From `initialize` or the newest request; empty strings before that.
  const ClientInfo& client() const { return client_; }
  // Of a legacy session, from `initialize` on; "" before that.
  const std::string& legacy_version() const { return legacy_version_; }
  size_t requests_in_flight() const { return requests_.size(); }

 private:
  // What a client wants to hear of: its filter, then what of it was granted.
  struct Subscription {
    bool tools = false;
    bool resources = false;
    bool prompts = false;
    std::set<std::string> uris;
    size_t undecided = 0;       // of the URIs
    bool acknowledged = false;  // nothing is sent before
  };
  // A request that has no answer yet.
  struct Request {
    std::string id;  // as JSON text
    Generation generation = Generation::kLegacy;
    const MethodRule* rule = nullptr;
    std::optional<std::string> cursor;  // of a list
    std::string argument;               // a level or a URI
    std::optional<WantCall> call;       // of a call: what is asked once it is known to be there
    std::string progress_token;         // as JSON text; "": none wanted
    std::optional<double> progress;     // the last that was passed on
    Subscription subscription;          // of subscriptions/listen
  };
  // An error answer.
  struct Problem {
    int code;
    std::string message;
    std::string data = "";
  };
  template <typename T>
  using Or = std::variant<T, Problem>;
  using Outputs = std::vector<Output>;

  // session.cc: messages, generations, tickets.
  Outputs OnRequest(const Message& message);
  Outputs OnNotification(const Message& message);
  Or<Generation> GenerationOf(const Message& message) const;
  std::optional<Problem> CheckNewRequest(const Message& message) const;
  static Outputs One(Output output);
  Outputs Refuse(absl::string_view id, const Problem& problem);
  Outputs Fail(uint64_t ticket, const Problem& problem);
  Outputs Answer(uint64_t ticket, absl::string_view result);
  uint64_t Begin(Request request);
  std::optional<Request> Finish(uint64_t ticket);
  Outputs Cancelled(uint64_t ticket);
  void Remember(json::Value client_info);

  // session_requests.cc: from params to a Request, or straight to its outputs.
  Or<Outputs> Serve(const Message& message, Generation generation, const MethodRule& rule);
  std::optional<Problem> ReadParams(const Message& message, Request& request);
  static std::optional<Problem> ReadFilter(json::Value notifications, Subscription& subscription);
  std::optional<Problem> ReadCall(const Message& message, Request& request);
  static std::optional<Problem> ReadNamed(json::Value params, WantCall& call);
  std::optional<Problem> ReadLogLevel(json::Value meta, Generation generation, WantCall& call);

  // session_lists.cc: what follows from the run's catalog.
  Outputs Open(uint64_t ticket, const Catalog* catalog);
  Outputs OnCatalog(uint64_t ticket, Request& request, const Catalog& catalog);
  Outputs ListPage(uint64_t ticket, const Request& request, const Catalog& catalog);

  // session_answers.cc: progress, log messages, the end of a call.
  Outputs OnCallError(uint64_t ticket, const Request& request, const CallEnd& end);

  // session_changes.cc: subscriptions and changes.
  Outputs Listen(uint64_t ticket, Request& request, const Catalog& catalog);
  Outputs OnListenCallEnd(uint64_t ticket, uint64_t call, bool granted);
  Outputs Acknowledge(uint64_t ticket, Request& request);

  const ServerInfo info_;
  Tickets own_tickets_;
  Tickets* const tickets_;
  ClientInfo client_;
  std::string legacy_version_;  // "": no `initialize` yet
  bool legacy_open_ = false;    // `initialize` was answered
  std::string log_level_;       // of the legacy session
  std::set<std::string> legacy_uris_;
  std::map<uint64_t, Request> requests_;
  std::map<std::string, uint64_t> ticket_of_;  // by id
  struct ListenCall {
    uint64_t listen;  // the ticket of subscriptions/listen
    std::string uri;
  };
  std::map<uint64_t, ListenCall> listen_calls_;  // by ticket
};

}  // namespace tipstaff::mcp
