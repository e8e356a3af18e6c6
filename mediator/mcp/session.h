// The serving side of one MCP connection: what a client sends goes in, what has to be done comes
// out. Serves both generations, per request: a request that says its version in `_meta` is served
// by modern rules, and `initialize` opens a legacy session for the rest.
//
//   ServerSession session({"tipstaff-guest", "1.0", ""});
//   for (const Output& output : session.OnMessage(line)) ...  // Send, ListTools, CallTool, ...
//   session.OnCallEnd(ticket, {.result = ...});               // the answer to a CallTool
//
// It owns its state, does no I/O and is not thread-safe. Each request that takes time has a ticket
// of the session's own, never used twice, so that answers cannot be swapped whatever ids the
// client chooses; an event whose ticket is over (answered or cancelled) is ignored.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/mcp/decision.h"
#include "mediator/mcp/message.h"
#include "mediator/mcp/tool_list.h"
#include "mediator/mcp/version.h"

namespace tipstaff::mcp {

inline constexpr size_t kMaxRequestsInFlight = 256;

// A message for the client, without the line feed.
struct Send {
  std::string message;
};
// Wanted: OnTools.
struct ListTools {
  uint64_t ticket;
};
// Wanted: any number of OnProgress (when `want_progress`), then OnCallEnd.
struct CallTool {
  uint64_t ticket;
  std::string tool;       // the client's word: any text
  std::string arguments;  // a JSON object
  bool want_progress;
};
// Nobody waits for that ticket any more.
struct Cancel {
  uint64_t ticket;
};
// Something for the log, escaped.
struct Note {
  std::string text;
};
using Output = std::variant<Send, ListTools, CallTool, Cancel, Note>;

struct CallProgress {
  double progress = 0;
  double total = 0;     // 0: not known
  std::string message;  // "": none
};

struct CallEnd {
  std::string result;  // a CallToolResult as JSON
  std::optional<Decision> decision;
};

// What a client says of itself.
struct ClientInfo {
  std::string name;
  std::string version;
};

class ServerSession {
 public:
  explicit ServerSession(ServerInfo info) : info_(std::move(info)) {}

  // From the client: a message, or that it sent one that is too long to be read.
  std::vector<Output> OnMessage(absl::string_view bytes);
  std::vector<Output> OnTooLong(size_t max_bytes);

  // Answers.
  std::vector<Output> OnTools(uint64_t ticket, const absl::StatusOr<std::vector<Tool>>& tools);
  std::vector<Output> OnProgress(uint64_t ticket, const CallProgress& progress);
  std::vector<Output> OnCallEnd(uint64_t ticket, const CallEnd& end);

  // From `initialize` or the newest request; empty strings before that.
  const ClientInfo& client() const { return client_; }
  size_t requests_in_flight() const { return requests_.size(); }

 private:
  // A request that has no answer yet.
  struct Request {
    std::string id;  // as JSON text
    Generation generation = Generation::kLegacy;
    std::string tool;                   // of a call
    std::optional<std::string> cursor;  // of a list
    std::string progress_token;         // as JSON text; "": none wanted
    std::optional<double> progress;     // the last that was passed on
  };
  // An error answer.
  struct Problem {
    int code;
    std::string message;
    std::string data = "";
  };
  template <typename T>
  using Or = std::variant<T, Problem>;

  std::vector<Output> OnRequest(const Message& message);
  std::vector<Output> OnNotification(const Message& message);
  Or<Generation> GenerationOf(const Message& message) const;
  std::optional<Problem> CheckNewRequest(const Message& message) const;

  Or<std::vector<Output>> ServeLegacy(const Message& message);
  Or<std::vector<Output>> ServeModern(const Message& message);
  Or<std::vector<Output>> Initialize(const Message& message);
  std::vector<Output> Discover(const Message& message) const;
  std::vector<Output> Listen(const Message& message);
  Or<std::vector<Output>> List(const Message& message, Generation generation);
  Or<std::vector<Output>> Call(const Message& message, Generation generation);

  static std::vector<Output> One(Output output);
  uint64_t Begin(Request request);
  std::optional<Request> Finish(uint64_t ticket);
  void Remember(json::Value client_info);

  const ServerInfo info_;
  ClientInfo client_;
  std::string legacy_version_;  // "": no `initialize` yet
  uint64_t last_ticket_ = 0;
  std::map<uint64_t, Request> requests_;
  std::map<std::string, uint64_t> ticket_of_;  // by id
};

}  // namespace tipstaff::mcp
