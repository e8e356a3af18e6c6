#include "tests/harness/mcp_server/endpoint.h"

#include <cstdio>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "mediator/base/file.h"

namespace tipstaff::mcp_server {
namespace {

constexpr int kHeaderMismatch = -32020;

// What a modern request's Mcp-Name has to say; "" for methods that have none.
std::string NameOf(const mcp::Message& message) {
  const json::Value params = message.params();
  if (message.method == "tools/call" || message.method == "prompts/get") {
    return std::string(params.StringOr("name", ""));
  }
  if (message.method == "resources/read") return std::string(params.StringOr("uri", ""));
  return "";
}

// The header that does not say what the body says; "" when all do.
std::string Mismatch(const HttpRequest& request, const mcp::Message& message) {
  const absl::string_view version =
      message.params().Find("_meta").StringOr(mcp::kProtocolVersionKey, "");
  if (request.header("mcp-protocol-version") != version) return "MCP-Protocol-Version";
  if (request.header("mcp-method") != message.method) return "Mcp-Method";
  if (request.header("mcp-name") != NameOf(message)) return "Mcp-Name";
  return "";
}

// Of a browser that was led here by a name of somebody else's, or by their page.
bool IsLocal(absl::string_view host) {
  host = host.substr(0, host.find(':'));
  return host == "127.0.0.1" || host == "localhost";
}
bool IsForeign(const HttpRequest& request) {
  const std::string origin = request.header("origin");
  absl::string_view name = origin;
  if (!origin.empty() && !(absl::ConsumePrefix(&name, "http://") && IsLocal(name))) return true;
  return !IsLocal(request.header("host"));
}

bool IsAuthorized(const Options& options, const HttpRequest& request) {
  if (options.authorization.empty()) return true;
  const absl::StatusOr<std::string> due = base::ReadFile(options.authorization);
  return due.ok() && request.header("authorization") == absl::StripAsciiWhitespace(*due);
}

Plain Refusal(int status, absl::string_view id, int code, absl::string_view message) {
  return {status, mcp::ErrorMessage(id, code, message)};
}

}  // namespace

std::optional<Plain> Endpoint::Take(const HttpRequest& request, const ChannelPtr& channel) {
  if (IsForeign(request)) return Plain{403, ""};
  if (!IsAuthorized(options_, request)) return Plain{401, ""};
  if (request.target == "/elsewhere") {
    std::fprintf(stderr, "a redirect was followed\n");
  } else if (request.target != "/mcp") {
    return Plain{404, ""};
  } else if (options_.redirect) {
    return Plain{302, "", absl::StrCat("http://127.0.0.1:", port_, "/elsewhere")};
  }
  if (request.method == "POST") return Post(request, channel);
  if (options_.generations == Generations::kModern) return Plain{405, ""};
  if (request.method == "GET" || request.method == "DELETE") return OnSession(request, channel);
  return Plain{405, ""};
}

// GET: a stream for what no request waits for. DELETE: the end.
std::optional<Plain> Endpoint::OnSession(const HttpRequest& request, const ChannelPtr& channel) {
  const std::string id = request.header("mcp-session-id");
  if (id.empty()) return Plain{request.method == "GET" ? 405 : 400, ""};
  const auto at = sessions_.find(id);
  if (at == sessions_.end()) return Refusal(404, "", mcp::kInvalidRequest, "Session not found");
  if (request.method == "DELETE") {
    sessions_.erase(at);
    return Plain{200, ""};
  }
  at->second->listener = channel;
  return std::nullopt;
}

std::optional<Plain> Endpoint::Post(const HttpRequest& request, const ChannelPtr& channel) {
  const auto read = mcp::ReadMessage(request.body);
  if (const auto* invalid = std::get_if<mcp::Invalid>(&read)) {
    return Refusal(400, invalid->id, invalid->code, invalid->message);
  }
  const mcp::Message& message = std::get<mcp::Message>(read);
  const bool says_modern = mcp::IsModernVersion(request.header("mcp-protocol-version")) ||
                           message.params().Find("_meta").Find(mcp::kProtocolVersionKey).exists();
  const bool modern = options_.generations == Generations::kModern ||
                      (options_.generations == Generations::kBoth && says_modern);
  if (!modern) return PostLegacy(request, message, channel);
  if (message.kind != mcp::Message::Kind::kRequest) {
    server_.Take(request.body, nullptr, channel);
    return Plain{202, ""};
  }
  const bool has_version = message.params().Find("_meta").Find(mcp::kProtocolVersionKey).exists();
  if (const std::string header = Mismatch(request, message); has_version && !header.empty()) {
    return Refusal(400, message.id, kHeaderMismatch,
                   absl::StrCat("header ", header, " does not match the body"));
  }
  server_.Take(request.body, nullptr, channel);
  return std::nullopt;
}

std::optional<Plain> Endpoint::PostLegacy(const HttpRequest& request, const mcp::Message& message,
                                          const ChannelPtr& channel) {
  if (message.method == "initialize") {
    const auto session = std::make_shared<Session>();
    session->id = absl::StrCat("session-", ++opened_);
    sessions_[session->id] = session;
    channel->SetSession(session->id);
    server_.Take(request.body, session, channel);
    return std::nullopt;
  }
  const std::string id = request.header("mcp-session-id");
  if (id.empty()) {
    return Refusal(400, message.id, mcp::kInvalidRequest, "Bad Request: no session id");
  }
  const auto at = sessions_.find(id);
  const bool is_request = message.kind == mcp::Message::Kind::kRequest;
  if (at != sessions_.end() && is_request && options_.session_gone_after != 0 &&
      ++at->second->requests > options_.session_gone_after) {
    sessions_.erase(at);
    return Refusal(404, message.id, mcp::kInvalidRequest, "Session not found");
  }
  if (at == sessions_.end()) {
    return Refusal(404, message.id, mcp::kInvalidRequest, "Session not found");
  }
  const SessionPtr session = at->second;
  server_.Take(request.body, session, channel);
  if (!is_request) return Plain{202, ""};
  return std::nullopt;
}

}  // namespace tipstaff::mcp_server
