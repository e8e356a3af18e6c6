#include "tests/harness/mcp_server/server.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/json/write.h"
#include "tests/harness/mcp_server/page.h"

namespace tipstaff::mcp_server {
namespace {

constexpr absl::string_view kCapabilities =
    R"({"tools":{"listChanged":true},"prompts":{"listChanged":true},)"
    R"("resources":{"subscribe":true,"listChanged":true},"completions":{},"logging":{}})";

std::string SupportedVersions() {
  return absl::StrCat("[\"", absl::StrJoin(mcp::ModernVersions(), "\",\""), "\"]");
}

}  // namespace

const mcp::ServerInfo& Self() {
  static const auto& self = *new mcp::ServerInfo{"tipstaff-test-mcp-server", "1.0", ""};
  return self;
}

int StatusOf(int code) {
  if (code == mcp::kMethodNotFound) return 404;
  if (code == mcp::kUnsupportedVersion || code == kMissingCapability) return 400;
  return 200;
}

void Server::Take(absl::string_view bytes, const SessionPtr& session, const ChannelPtr& channel) {
  const auto read = mcp::ReadMessage(bytes);
  if (const auto* invalid = std::get_if<mcp::Invalid>(&read)) {
    channel->Answer(mcp::ErrorMessage(invalid->id, invalid->code, invalid->message), 400);
    return;
  }
  const mcp::Message& message = std::get<mcp::Message>(read);
  switch (message.kind) {
    case mcp::Message::Kind::kNotification:
      if (message.method == "notifications/cancelled") OnCancelled(message, session);
      return;
    case mcp::Message::Kind::kResponse:
      if (const auto asked = asked_.find(message.id); asked != asked_.end()) {
        const std::function<void()> then = std::move(asked->second);
        asked_.erase(asked);
        std::fprintf(stderr, "the client answered %s\n",
                     json::Dump(message.document.root()).substr(0, 300).c_str());
        then();
      }
      return;
    case mcp::Message::Kind::kRequest:
      break;
  }
  const bool says_modern = message.params().Find("_meta").Find(mcp::kProtocolVersionKey).exists();
  const bool modern = options_.generations == Generations::kModern ||
                      (options_.generations == Generations::kBoth && says_modern);
  OnRequest(
      {message, modern ? mcp::Generation::kModern : mcp::Generation::kLegacy, session, channel});
}

void Server::OnRequest(const Request& request) {
  if (request.modern()) {
    if (!CheckModern(request)) return;
    if (OnModern(request) || OnShared(request)) return;
  } else {
    if (OnLegacy(request) || OnShared(request)) return;
  }
  OnUnknown(request);
}

bool Server::CheckModern(const Request& request) {
  const json::Value meta = request.params().Find("_meta");
  const absl::string_view version = meta.StringOr(mcp::kProtocolVersionKey, "");
  const std::string& id = request.message.id;
  if (version.empty() || !meta.Find(mcp::kClientCapabilitiesKey).is_object()) {
    request.channel->Answer(
        mcp::ErrorMessage(id, mcp::kInvalidParams, "`_meta` lacks the version or capabilities"),
        400);
    return false;
  }
  if (mcp::IsModernVersion(version)) return true;
  Refuse(request, mcp::kUnsupportedVersion, "Unsupported protocol version",
         absl::StrCat(R"({"supported":)", SupportedVersions(), R"(,"requested":)",
                      json::Quote(version), "}"));
  return false;
}

bool Server::OnShared(const Request& request) {
  const std::string& method = request.message.method;
  if (!request.modern() && !request.session->open) {
    OnUnknown(request);
  } else if (method == "tools/list") {
    const std::string cursor(request.params().StringOr("cursor", "-"));
    if (cursor == "-" && ++lists_ == 2 && options_.drift) revision_.changed = true;
    List(request, "tools", Tools(options_, revision_));
  } else if (method == "tools/call") {
    CallTool(request);
  } else if (method == "resources/list") {
    List(request, "resources", Resources());
  } else if (method == "resources/templates/list") {
    List(request, "resourceTemplates", ResourceTemplates());
  } else if (method == "resources/read") {
    Read(request);
  } else if (method == "prompts/list") {
    List(request, "prompts", Prompts(revision_));
  } else if (method == "prompts/get") {
    GetPrompt(request);
  } else if (method == "completion/complete") {
    const absl::string_view prefix = request.params().Find("argument").StringOr("value", "");
    Reply(request, absl::StrCat(R"("completion":)", Completion(prefix)));
  } else {
    return false;
  }
  return true;
}

bool Server::OnLegacy(const Request& request) {
  const std::string& method = request.message.method;
  const std::string uri(request.params().StringOr("uri", ""));
  if (method == "initialize") {
    Initialize(request);
  } else if (method == "ping") {
    Reply(request, "");
  } else if (!request.session->open) {
    return false;
  } else if (method == "logging/setLevel") {
    request.session->log_level = std::string(request.params().StringOr("level", "info"));
    Reply(request, "");
  } else if (method == "resources/subscribe") {
    request.session->resources.insert(uri);
    Reply(request, "");
  } else if (method == "resources/unsubscribe") {
    request.session->resources.erase(uri);
    Reply(request, "");
  } else {
    return false;
  }
  return true;
}

bool Server::OnModern(const Request& request) {
  if (request.message.method == "server/discover") {
    Discover(request);
  } else if (request.message.method == "subscriptions/listen") {
    Listen(request);
  } else {
    return false;
  }
  return true;
}

void Server::OnUnknown(const Request& request) {
  if (options_.exit_on_unknown) ::_exit(1);
  if (options_.silent_probe) return;
  Refuse(request, mcp::kMethodNotFound, "Method not found");
}

void Server::OnCancelled(const mcp::Message& message, const SessionPtr& session) {
  const std::optional<std::string> id = mcp::IdText(message.params().Find("requestId"));
  // Modern clients over HTTP close the response instead.
  if (!id || session == nullptr) return;
  for (const CallPtr& call : under_way_) {
    if (call->message.id == *id && call->session == session->id) call->over = true;
  }
  under_way_.remove_if([](const CallPtr& call) { return call->over; });
  listeners_.remove_if([&](const Listener& listener) { return listener.id == *id; });
}

void Server::Closed(const Channel* channel) {
  for (const CallPtr& call : under_way_) {
    if (call->channel.get() == channel) call->over = true;
  }
  under_way_.remove_if([](const CallPtr& call) { return call->over; });
  listeners_.remove_if([&](const Listener& listener) { return listener.channel.get() == channel; });
}

void Server::Initialize(const Request& request) {
  if (!std::exchange(request.session->open, true)) sessions_.push_back(request.session);
  const absl::string_view version =
      mcp::NegotiateLegacy(request.params().StringOr("protocolVersion", ""));
  Reply(request, absl::StrCat(R"("protocolVersion":)", json::Quote(version), R"(,"capabilities":)",
                              kCapabilities, R"(,"serverInfo":)", mcp::ServerInfoJson(Self())));
}

void Server::Discover(const Request& request) {
  Reply(request,
        absl::StrCat(R"("supportedVersions":)", SupportedVersions(), R"(,"capabilities":)",
                     kCapabilities),
        true);
}

void Server::List(const Request& request, absl::string_view key,
                  const std::vector<std::string>& items) {
  const json::Value cursor = request.params().Find("cursor");
  const absl::StatusOr<Page> page = PageOf(
      items,
      cursor.is_string() ? std::optional<std::string>(std::string(cursor.string())) : std::nullopt,
      options_);
  if (!page.ok()) return Refuse(request, mcp::kInvalidParams, page.status().message());
  Reply(request,
        absl::StrCat("\"", key, R"(":[)", absl::StrJoin(page->items, ","), "]",
                     page->next ? absl::StrCat(R"(,"nextCursor":)", json::Quote(*page->next)) : ""),
        true);
}

void Server::Read(const Request& request) {
  const absl::string_view uri = request.params().StringOr("uri", "");
  if (const std::optional<std::string> contents = Contents(uri)) {
    return Reply(request, absl::StrCat(R"("contents":)", *contents), true);
  }
  Refuse(request, request.modern() ? mcp::kInvalidParams : -32002, "Resource not found",
         absl::StrCat(R"({"uri":)", json::Quote(uri), "}"));
}

void Server::GetPrompt(const Request& request) {
  const json::Value params = request.params();
  const std::optional<std::string> messages =
      Messages(params.StringOr("name", ""), params.Find("arguments"));
  if (!messages) return Refuse(request, mcp::kInvalidParams, "Unknown prompt");
  Reply(request, absl::StrCat(R"("messages":)", *messages));
}

void Server::Reply(const Request& request, absl::string_view members, bool cacheable) {
  std::string result = absl::StrCat("{", mcp::ResultPreamble(request.generation, Self()), members);
  if (request.modern() && cacheable) {
    absl::StrAppend(&result, R"(,"ttlMs":0,"cacheScope":"private")");
  }
  if (result.back() == ',') result.pop_back();  // a preamble without members
  request.channel->Answer(mcp::ResultMessage(request.message.id, absl::StrCat(result, "}")), 200);
}

void Server::Refuse(const Request& request, int code, absl::string_view message,
                    absl::string_view data) {
  request.channel->Answer(mcp::ErrorMessage(request.message.id, code, message, data),
                          request.modern() ? StatusOf(code) : 200);
}

}  // namespace tipstaff::mcp_server
