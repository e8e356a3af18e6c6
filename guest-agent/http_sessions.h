// MCP over HTTP without sockets: which session a request belongs to, and to which response each
// answer, notification and change goes.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/time/time.h"
#include "guest-agent/calls.h"
#include "guest-agent/http_response.h"
#include "mediator/base/clock.h"
#include "mediator/mcp/http_rules.h"
#include "mediator/mcp/session.h"

namespace tipstaff::guest_agent {

// Where a session's wishes go. The answers come to HttpSessions.
class Wishes {
 public:
  virtual ~Wishes() = default;
  virtual void List(const mcp::WantList& list, const mcp::ClientInfo& client) = 0;
  virtual void Call(const mcp::WantCall& call, const mcp::ClientInfo& client) = 0;
  virtual void Cancel(uint64_t ticket) = 0;
  virtual void Note(absl::string_view text) = 0;
};

// A legacy client has a session, from `initialize` to DELETE, for which it is given a random name.
// A modern request is a session of its own. Tickets differ over all of them, so that an answer has
// one place to go, whatever ids clients choose. Not thread-safe; `wishes` and `clock` must outlive
// it.
class HttpSessions final : public Answers {
 public:
  using ResponsePtr = std::shared_ptr<HttpResponse>;

  HttpSessions(mcp::ServerInfo info, Wishes& wishes, const base::Clock& clock)
      : info_(std::move(info)), wishes_(wishes), clock_(clock) {}

  // A request whose head was judged. The response gets its end now or later.
  void OnRequest(const ResponsePtr& response, const mcp::HttpHead& head, const std::string& body);
  // The client closed its side before the end. A modern request is cancelled by that; a legacy one
  // goes on, and its answer is dropped.
  void OnGone(const ResponsePtr& response);
  // Now and then: ends sessions that were idle for long, and keeps streams alive.
  void OnTime();

  void OnList(uint64_t ticket, const absl::StatusOr<mcp::CatalogPtr>& catalog) override;
  void OnProgress(uint64_t ticket, const mcp::CallProgress& progress) override;
  void OnLog(uint64_t ticket, const std::string& params) override;
  void OnCallEnd(uint64_t ticket, const mcp::CallEnd& end) override;
  void OnChange(const mcp::Change& change) override;

  size_t sessions() const { return sessions_.size(); }

 private:
  struct Session {
    Session(mcp::Generation generation, const mcp::ServerInfo& info, mcp::Tickets& tickets,
            absl::Time now)
        : generation(generation), mcp(info, &tickets), last_used(now) {}

    const mcp::Generation generation;
    std::string name;  // "" of a modern request
    mcp::ServerSession mcp;
    absl::Time last_used;
    ResponsePtr stream;  // of GET
  };
  using SessionPtr = std::shared_ptr<Session>;
  // Of a ticket. No response: its client is gone.
  struct Route {
    SessionPtr session;
    ResponsePtr response;
  };
  // A modern tools/call whose headers wait for the tool's schema.
  struct Unchecked {
    ResponsePtr response;
    mcp::HttpHead head;
    mcp::HttpPost post;
    std::string body;
  };

  SessionPtr NewSession(mcp::Generation generation);
  SessionPtr Find(absl::string_view name);
  // Makes room for one more; false when every session is in use.
  bool MakeRoom();
  bool InUse(const Session& session) const;
  void EndSession(const SessionPtr& session);

  void OnPost(const ResponsePtr& response, const mcp::HttpHead& head, const std::string& body);
  void OnModern(const ResponsePtr& response, const std::string& body);
  void OnLegacy(const ResponsePtr& response, const mcp::HttpPost& post, const std::string& body);
  void Open(const ResponsePtr& response, const mcp::HttpPost& post, const std::string& body);
  void OnGet(const ResponsePtr& response, const SessionPtr& session);
  void Check(const Unchecked& unchecked, const absl::StatusOr<mcp::CatalogPtr>& catalog);

  // `response`: of the message that was just taken in, or of the ticket that an answer came for.
  void Do(const SessionPtr& session, const ResponsePtr& response, std::vector<mcp::Output> outputs);
  void DoSend(const SessionPtr& session, const ResponsePtr& response, const mcp::Send& send);
  void DoCancel(uint64_t ticket);
  // With what a session makes of an event for that ticket.
  template <typename Event>
  void Pass(uint64_t ticket, Event event);

  const mcp::ServerInfo info_;
  Wishes& wishes_;
  const base::Clock& clock_;
  mcp::Tickets tickets_;
  std::map<std::string, SessionPtr, std::less<>> sessions_;  // legacy, by name
  std::map<uint64_t, Route> routes_;
  std::map<uint64_t, Unchecked> unchecked_;
};

}  // namespace tipstaff::guest_agent
