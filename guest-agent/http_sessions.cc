#include "guest-agent/http_sessions.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "guest-agent/limits.h"
#include "mediator/base/ids.h"
#include "mediator/mcp/http_params.h"

namespace tipstaff::guest_agent {
namespace {

constexpr size_t kSessionNameLength = 32;  // 160 random bits
constexpr int kAccepted = 202;
constexpr int kOk = 200;

const mcp::Tool* FindTool(const std::vector<mcp::Tool>& tools, absl::string_view name) {
  for (const mcp::Tool& tool : tools) {
    if (tool.name == name) return &tool;
  }
  return nullptr;
}

}  // namespace

void HttpSessions::OnRequest(const ResponsePtr& response, const mcp::HttpHead& head,
                             const std::string& body) {
  if (head.method == "POST") return OnPost(response, head, body);
  const SessionPtr session = Find(*head.Find(mcp::kSessionHeader));
  if (!session) return response->Answer(mcp::UnknownSession(""));
  if (head.method == "GET") return OnGet(response, session);
  EndSession(session);
  response->Answer({kOk});
}

void HttpSessions::OnPost(const ResponsePtr& response, const mcp::HttpHead& head,
                          const std::string& body) {
  std::variant<mcp::HttpPost, mcp::HttpAnswer> judged = mcp::JudgePost(head, body);
  if (const mcp::HttpAnswer* answer = std::get_if<mcp::HttpAnswer>(&judged)) {
    return response->Answer(*answer);
  }
  mcp::HttpPost& post = std::get<mcp::HttpPost>(judged);
  if (post.generation == mcp::Generation::kLegacy) return OnLegacy(response, post, body);
  if (post.message.kind != mcp::Message::Kind::kRequest) return response->Answer({kAccepted});
  if (post.message.method == "subscriptions/listen" && !mcp::AcceptsOf(head).events) {
    return response->Answer(mcp::HttpError(406, mcp::kInvalidRequest,
                                           "`Accept` has no text/event-stream", post.message.id));
  }
  if (post.message.method != "tools/call") return OnModern(response, body);
  const uint64_t ticket = tickets_.Next();
  unchecked_[ticket] = {response, head, std::move(post), body};
  wishes_.List({ticket, mcp::kCapabilitiesPatience}, {});
}

void HttpSessions::Check(const Unchecked& unchecked,
                         const absl::StatusOr<mcp::CatalogPtr>& catalog) {
  // Without a list the call will fail by itself; a tool that is not there is the mediator's to
  // refuse, with a decision.
  const json::Value params = unchecked.post.message.params();
  const mcp::Tool* tool =
      catalog.ok() ? FindTool((*catalog)->tools, params.StringOr("name", "")) : nullptr;
  if (tool != nullptr) {
    if (const std::optional<std::string> wrong =
            mcp::ParamMismatch(tool->input_schema, params.Find("arguments"), unchecked.head)) {
      return unchecked.response->Answer(mcp::HttpError(400, mcp::kHeaderMismatch,
                                                       absl::StrCat("header mismatch: ", *wrong),
                                                       unchecked.post.message.id));
    }
  }
  OnModern(unchecked.response, unchecked.body);
}

void HttpSessions::OnModern(const ResponsePtr& response, const std::string& body) {
  const SessionPtr session = NewSession(mcp::Generation::kModern);
  Do(session, response, session->mcp.OnMessage(body));
}

void HttpSessions::OnLegacy(const ResponsePtr& response, const mcp::HttpPost& post,
                            const std::string& body) {
  if (post.session.empty()) return Open(response, post, body);
  const SessionPtr session = Find(post.session);
  if (!session) return response->Answer(mcp::UnknownSession(post.message.id));
  session->last_used = clock_.Now();
  Do(session, response, session->mcp.OnMessage(body));
  if (post.message.kind != mcp::Message::Kind::kRequest) response->Answer({kAccepted});
}

void HttpSessions::Open(const ResponsePtr& response, const mcp::HttpPost& post,
                        const std::string& body) {
  if (!MakeRoom()) {
    return response->Answer(mcp::HttpError(
        503, mcp::kInternalError,
        absl::StrCat("all ", kMaxHttpSessions, " sessions are in use: end one with DELETE"),
        post.message.id));
  }
  const SessionPtr session = NewSession(mcp::Generation::kLegacy);
  std::vector<mcp::Output> outputs = session->mcp.OnMessage(body);
  if (!session->mcp.legacy_version().empty()) {
    session->name = base::RandomText(kSessionNameLength);
    sessions_[session->name] = session;
    response->AddHeader("Mcp-Session-Id", session->name);
  }
  Do(session, response, std::move(outputs));
}

void HttpSessions::OnGet(const ResponsePtr& response, const SessionPtr& session) {
  session->last_used = clock_.Now();
  if (session->stream) {
    return response->Answer(
        mcp::HttpError(409, mcp::kInvalidRequest, "the session has a stream already"));
  }
  session->stream = response;
  response->Stream();
}

void HttpSessions::OnGone(const ResponsePtr& response) {
  for (auto it = unchecked_.begin(); it != unchecked_.end();) {
    const bool gone = it->second.response == response;
    if (gone) wishes_.Cancel(it->first);
    it = gone ? unchecked_.erase(it) : std::next(it);
  }
  for (const auto& [name, session] : sessions_) {
    if (session->stream == response) session->stream = nullptr;
  }
  std::map<uint64_t, SessionPtr> cancelled;
  for (auto& [ticket, route] : routes_) {
    if (route.response != response) continue;
    if (route.session->generation == mcp::Generation::kModern) cancelled[ticket] = route.session;
    route.response = nullptr;
  }
  for (const auto& [ticket, session] : cancelled) {
    Do(session, nullptr, session->mcp.OnGone(ticket));
  }
}

void HttpSessions::OnTime() {
  const absl::Time now = clock_.Now();
  std::vector<SessionPtr> idle;
  for (const auto& [name, session] : sessions_) {
    if (session->stream) session->stream->KeepAlive();
    if (now - session->last_used > kHttpSessionIdle && !InUse(*session)) idle.push_back(session);
  }
  for (const SessionPtr& session : idle) EndSession(session);
  for (const auto& [ticket, route] : routes_) {
    if (route.response) route.response->KeepAlive();
  }
}

HttpSessions::SessionPtr HttpSessions::NewSession(mcp::Generation generation) {
  return std::make_shared<Session>(generation, info_, tickets_, clock_.Now());
}

HttpSessions::SessionPtr HttpSessions::Find(absl::string_view name) {
  const auto found = sessions_.find(std::string(name));
  return found == sessions_.end() ? nullptr : found->second;
}

bool HttpSessions::InUse(const Session& session) const {
  if (session.stream) return true;
  for (const auto& [ticket, route] : routes_) {
    if (route.session.get() == &session) return true;
  }
  return false;
}

bool HttpSessions::MakeRoom() {
  if (sessions_.size() < kMaxHttpSessions) return true;
  SessionPtr oldest;
  for (const auto& [name, session] : sessions_) {
    if (InUse(*session)) continue;
    if (!oldest || session->last_used < oldest->last_used) oldest = session;
  }
  if (oldest) EndSession(oldest);
  return oldest != nullptr;
}

void HttpSessions::EndSession(const SessionPtr& session) {
  sessions_.erase(session->name);
  std::vector<uint64_t> tickets;
  for (const auto& [ticket, route] : routes_) {
    if (route.session == session) tickets.push_back(ticket);
  }
  for (const uint64_t ticket : tickets) Do(session, nullptr, session->mcp.OnGone(ticket));
  if (const ResponsePtr stream = std::exchange(session->stream, nullptr)) stream->End();
}

}  // namespace tipstaff::guest_agent
