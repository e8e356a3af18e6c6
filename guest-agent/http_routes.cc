// Where what the sessions say goes, and where answers come from.
#include <set>
#include <utility>
#include <variant>

#include "guest-agent/http_sessions.h"

namespace tipstaff::guest_agent {

void HttpSessions::Do(const SessionPtr& session, const ResponsePtr& response,
                      std::vector<mcp::Output> outputs) {
  const mcp::ClientInfo& client = session->mcp.client();
  for (const mcp::Output& output : outputs) {
    if (const auto* send = std::get_if<mcp::Send>(&output)) DoSend(session, response, *send);
    if (const auto* cancel = std::get_if<mcp::Cancel>(&output)) DoCancel(cancel->ticket);
    if (const auto* note = std::get_if<mcp::Note>(&output)) wishes_.Note(note->text);
    if (const auto* list = std::get_if<mcp::WantList>(&output)) {
      routes_[list->ticket] = {session, response};
      wishes_.List(*list, client);
    }
    if (const auto* call = std::get_if<mcp::WantCall>(&output)) {
      routes_[call->ticket] = {session, response};
      wishes_.Call(*call, client);
    }
  }
}

void HttpSessions::DoSend(const SessionPtr& session, const ResponsePtr& response,
                          const mcp::Send& send) {
  using Kind = mcp::Send::Kind;
  ResponsePtr to = response;
  if (send.ticket != 0) {
    const auto route = routes_.find(send.ticket);
    if (route == routes_.end()) return;
    to = route->second.response;
    if (send.kind == Kind::kAnswer) routes_.erase(route);
    session->last_used = clock_.Now();
  } else if (send.kind == Kind::kChange) {
    to = session->stream;
  }
  if (!to) return;  // nobody is there to hear it
  if (send.kind != Kind::kAnswer) return to->Event(send.message, send.kind == Kind::kEvent);
  to->Answer({mcp::HttpStatusOf(session->generation, send.error), send.message});
}

void HttpSessions::DoCancel(uint64_t ticket) {
  wishes_.Cancel(ticket);
  const auto found = routes_.find(ticket);
  if (found == routes_.end()) return;
  const Route route = std::move(found->second);
  routes_.erase(found);
  if (route.response) route.response->End();
}

template <typename Event>
void HttpSessions::Pass(uint64_t ticket, Event event) {
  const auto found = routes_.find(ticket);
  if (found == routes_.end()) return;
  const Route route = found->second;  // a copy: the answer ends it
  Do(route.session, route.response, event(route.session->mcp));
}

void HttpSessions::OnList(uint64_t ticket, const absl::StatusOr<mcp::CatalogPtr>& catalog) {
  if (const auto waiting = unchecked_.extract(ticket)) return Check(waiting.mapped(), catalog);
  Pass(ticket, [&](mcp::ServerSession& session) { return session.OnList(ticket, catalog); });
}

void HttpSessions::OnProgress(uint64_t ticket, const mcp::CallProgress& progress) {
  Pass(ticket, [&](mcp::ServerSession& session) { return session.OnProgress(ticket, progress); });
}

void HttpSessions::OnLog(uint64_t ticket, const std::string& params) {
  Pass(ticket, [&](mcp::ServerSession& session) { return session.OnLog(ticket, params); });
}

void HttpSessions::OnCallEnd(uint64_t ticket, const mcp::CallEnd& end) {
  Pass(ticket, [&](mcp::ServerSession& session) { return session.OnCallEnd(ticket, end); });
  routes_.erase(ticket);  // a call of `subscriptions/listen` has no answer of its own
}

void HttpSessions::OnChange(const mcp::Change& change) {
  std::set<SessionPtr> sessions;
  for (const auto& [name, session] : sessions_) sessions.insert(session);
  for (const auto& [ticket, route] : routes_) sessions.insert(route.session);
  for (const SessionPtr& session : sessions) Do(session, nullptr, session->mcp.OnChange(change));
}

}  // namespace tipstaff::guest_agent
