#include "mediator/mcp/session.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/json/write.h"

namespace tipstaff::mcp {
namespace {

constexpr size_t kMaxToolNameBytes = 256;
constexpr absl::string_view kCapabilities = R"({"tools":{}})";
constexpr absl::string_view kDiscoverCaching = R"("ttlMs":3600000,"cacheScope":"public")";

std::string ModernVersionList() {
  return absl::StrCat("[\"", absl::StrJoin(ModernVersions(), "\",\""), "\"]");
}

bool IsKnownMethod(absl::string_view method) {
  constexpr absl::string_view kMethods[] = {"initialize", "ping",       "server/discover",
                                            "tools/list", "tools/call", "subscriptions/listen"};
  for (const absl::string_view known : kMethods) {
    if (method == known) return true;
  }
  return false;
}

}  // namespace

std::vector<Output> ServerSession::OnMessage(absl::string_view bytes) {
  const std::variant<Message, Invalid> read = ReadMessage(bytes);
  if (const Invalid* invalid = std::get_if<Invalid>(&read)) {
    return One(Send{ErrorMessage(invalid->id, invalid->code, invalid->message)});
  }
  const Message& message = std::get<Message>(read);
  switch (message.kind) {
    case Message::Kind::kRequest:
      return OnRequest(message);
    case Message::Kind::kNotification:
      return OnNotification(message);
    case Message::Kind::kResponse:
      break;  // this side never asks
  }
  return {};
}

std::vector<Output> ServerSession::OnTooLong(size_t max_bytes) {
  return One(Send{ErrorMessage(
      "", kInvalidRequest,
      absl::StrCat("the message is longer than ", max_bytes, " bytes and was skipped"))});
}

std::vector<Output> ServerSession::OnRequest(const Message& message) {
  if (ticket_of_.count(message.id) > 0) {
    // Without the id: with it, the client would take this for the answer to the first request.
    return One(Send{ErrorMessage("", kInvalidRequest,
                                 absl::StrCat("the id ", Shown(message.id),
                                              " belongs to a request that has no answer yet"))});
  }
  const auto refuse = [&](const Problem& problem) {
    return One(Send{ErrorMessage(message.id, problem.code, problem.message, problem.data)});
  };
  if (const std::optional<Problem> problem = CheckNewRequest(message)) return refuse(*problem);
  const Or<Generation> generation = GenerationOf(message);
  if (const Problem* problem = std::get_if<Problem>(&generation)) return refuse(*problem);
  Or<std::vector<Output>> served = std::get<Generation>(generation) == Generation::kModern
                                       ? ServeModern(message)
                                       : ServeLegacy(message);
  if (const Problem* problem = std::get_if<Problem>(&served)) return refuse(*problem);
  return std::get<std::vector<Output>>(std::move(served));
}

std::optional<ServerSession::Problem> ServerSession::CheckNewRequest(const Message& message) const {
  if (requests_.size() >= kMaxRequestsInFlight) {
    return Problem{kInternalError, absl::StrCat("too many requests in flight: at most ",
                                                kMaxRequestsInFlight, "; wait for answers")};
  }
  const json::Value token = message.params().Find("_meta").Find("progressToken");
  if (token.exists() && !IdText(token)) {
    return Problem{kInvalidParams, "`progressToken` is neither a string nor an integer"};
  }
  return std::nullopt;
}

ServerSession::Or<Generation> ServerSession::GenerationOf(const Message& message) const {
  const json::Value meta = message.params().Find("_meta");
  const json::Value version = meta.Find(kProtocolVersionKey);
  if (!version.exists()) {
    const bool opens = message.method == "initialize" || message.method == "ping";
    if (opens || !legacy_version_.empty()) return Generation::kLegacy;
    if (!IsKnownMethod(message.method)) {
      return Problem{kMethodNotFound, absl::StrCat("method not found: ", Shown(message.method))};
    }
    return Problem{kInvalidParams, absl::StrCat("`_meta` lacks `", kProtocolVersionKey,
                                                "` (before 2026-07-28: send `initialize` first)")};
  }
  if (!version.is_string()) {
    return Problem{kInvalidParams, absl::StrCat("`", kProtocolVersionKey, "` is not a string")};
  }
  if (!legacy_version_.empty() && IsLegacyVersion(version.string())) return Generation::kLegacy;
  if (!IsModernVersion(version.string())) {
    return Problem{kUnsupportedVersion, "unsupported protocol version",
                   absl::StrCat(R"({"supported":)", ModernVersionList(), R"(,"requested":)",
                                json::Quote(version.string()), "}")};
  }
  if (!meta.Find(kClientCapabilitiesKey).is_object()) {
    return Problem{kInvalidParams,
                   absl::StrCat("`_meta` lacks `", kClientCapabilitiesKey, "`, an object")};
  }
  return Generation::kModern;
}

ServerSession::Or<std::vector<Output>> ServerSession::ServeLegacy(const Message& message) {
  if (message.method == "initialize") return Initialize(message);
  if (message.method == "ping") return One(Send{ResultMessage(message.id, "{}")});
  if (message.method == "tools/list") return List(message, Generation::kLegacy);
  if (message.method == "tools/call") return Call(message, Generation::kLegacy);
  return Problem{kMethodNotFound, absl::StrCat("method not found: ", Shown(message.method))};
}

ServerSession::Or<std::vector<Output>> ServerSession::ServeModern(const Message& message) {
  Remember(message.params().Find("_meta").Find(kClientInfoKey));
  if (message.method == "server/discover") return Discover(message);
  if (message.method == "tools/list") return List(message, Generation::kModern);
  if (message.method == "tools/call") return Call(message, Generation::kModern);
  if (message.method == "subscriptions/listen") {
    if (!message.params().Find("notifications").is_object()) {
      return Problem{kInvalidParams, "`notifications` is missing or not an object"};
    }
    return Listen(message);
  }
  return Problem{kMethodNotFound, absl::StrCat("method not found in version ", ModernVersions()[0],
                                               ": ", Shown(message.method))};
}

ServerSession::Or<std::vector<Output>> ServerSession::Initialize(const Message& message) {
  const json::Value version = message.params().Find("protocolVersion");
  if (!version.is_string()) {
    return Problem{kInvalidParams, "`protocolVersion` is missing or not a string"};
  }
  Remember(message.params().Find("clientInfo"));
  legacy_version_ = std::string(NegotiateLegacy(version.string()));
  std::string result =
      absl::StrCat(R"({"protocolVersion":)", json::Quote(legacy_version_), R"(,"capabilities":)",
                   kCapabilities, R"(,"serverInfo":)", ServerInfoJson(info_));
  if (!info_.instructions.empty()) {
    absl::StrAppend(&result, R"(,"instructions":)", json::Quote(info_.instructions));
  }
  return One(Send{ResultMessage(message.id, absl::StrCat(result, "}"))});
}

std::vector<Output> ServerSession::Discover(const Message& message) const {
  std::string result = absl::StrCat("{", ResultPreamble(Generation::kModern, info_),
                                    R"("supportedVersions":)", ModernVersionList(),
                                    R"(,"capabilities":)", kCapabilities, ",", kDiscoverCaching);
  if (!info_.instructions.empty()) {
    absl::StrAppend(&result, R"(,"instructions":)", json::Quote(info_.instructions));
  }
  return One(Send{ResultMessage(message.id, absl::StrCat(result, "}"))});
}

// None of the kinds of notification is offered (the capabilities say so), so the acknowledgement
// grants nothing; the stream is there until the client cancels it.
std::vector<Output> ServerSession::Listen(const Message& message) {
  Begin({.id = message.id, .generation = Generation::kModern});
  return One(Send{NotificationMessage("notifications/subscriptions/acknowledged",
                                      absl::StrCat(R"({"_meta":{)", json::Quote(kSubscriptionIdKey),
                                                   ":", message.id, R"(},"notifications":{}})"))});
}

ServerSession::Or<std::vector<Output>> ServerSession::List(const Message& message,
                                                           Generation generation) {
  Request request{.id = message.id, .generation = generation};
  if (const json::Value cursor = message.params().Find("cursor"); cursor.is_string()) {
    request.cursor = std::string(cursor.string());
  } else if (cursor.exists()) {
    return Problem{kInvalidParams, "`cursor` is not a string"};
  }
  return One(ListTools{Begin(std::move(request))});
}

ServerSession::Or<std::vector<Output>> ServerSession::Call(const Message& message,
                                                           Generation generation) {
  const json::Value params = message.params();
  const json::Value name = params.Find("name");
  if (!name.is_string()) return Problem{kInvalidParams, "`name` is missing or not a string"};
  if (name.string().size() > kMaxToolNameBytes) {
    return Problem{kInvalidParams, absl::StrCat("unknown tool: ", Shown(name.string()))};
  }
  const json::Value arguments = params.Find("arguments");
  if (arguments.exists() && !arguments.is_object()) {
    return Problem{kInvalidParams, "`arguments` is not an object"};
  }
  Request request{.id = message.id, .generation = generation, .tool = std::string(name.string())};
  request.progress_token = IdText(params.Find("_meta").Find("progressToken")).value_or("");
  CallTool call{.ticket = 0,
                .tool = request.tool,
                .arguments = arguments.exists() ? json::Dump(arguments) : "{}",
                .want_progress = !request.progress_token.empty()};
  call.ticket = Begin(std::move(request));
  return One(std::move(call));
}

std::vector<Output> ServerSession::OnNotification(const Message& message) {
  if (message.method != "notifications/cancelled") return {};
  const std::optional<std::string> id = IdText(message.params().Find("requestId"));
  const auto found = id ? ticket_of_.find(*id) : ticket_of_.end();
  if (found == ticket_of_.end()) return {};  // answered already: the two crossed
  const uint64_t ticket = found->second;
  Finish(ticket);
  return One(Cancel{ticket});
}

std::vector<Output> ServerSession::One(Output output) {
  std::vector<Output> outputs;
  outputs.push_back(std::move(output));
  return outputs;
}

uint64_t ServerSession::Begin(Request request) {
  const uint64_t ticket = ++last_ticket_;
  ticket_of_[request.id] = ticket;
  requests_.emplace(ticket, std::move(request));
  return ticket;
}

std::optional<ServerSession::Request> ServerSession::Finish(uint64_t ticket) {
  const auto found = requests_.find(ticket);
  if (found == requests_.end()) return std::nullopt;
  Request request = std::move(found->second);
  requests_.erase(found);
  ticket_of_.erase(request.id);
  return request;
}

void ServerSession::Remember(json::Value client_info) {
  if (!client_info.is_object()) return;
  client_ = {std::string(client_info.StringOr("name", "")),
             std::string(client_info.StringOr("version", ""))};
}

}  // namespace tipstaff::mcp
