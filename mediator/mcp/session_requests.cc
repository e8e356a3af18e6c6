// From a request's params to what the session remembers of it and asks the mediator.
#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/json/builder.h"
#include "mediator/json/write.h"
#include "mediator/mcp/log_level.h"
#include "mediator/mcp/session.h"

namespace tipstaff::mcp {
namespace {

constexpr size_t kMaxNameBytes = 256;
// What a legacy session gets that did not say.
constexpr absl::string_view kDefaultLogLevel = "info";

CallKind KindOf(Method method) {
  switch (method) {
    case Method::kResourcesRead:
      return CallKind::kResource;
    case Method::kSubscribe:
    case Method::kUnsubscribe:
      return CallKind::kSubscription;
    case Method::kPromptsGet:
      return CallKind::kPrompt;
    case Method::kComplete:
      return CallKind::kCompletion;
    default:
      return CallKind::kTool;
  }
}

// {"ref":...,"argument":...,"context":...}, which the mediator takes as they are.
std::string CompletionArguments(json::Value params) {
  std::string members;
  for (const char* key : {"ref", "argument", "context"}) {
    const json::Value value = params.Find(key);
    if (!value.exists()) continue;
    absl::StrAppend(&members, members.empty() ? "" : ",", json::Quote(key), ":", json::Dump(value));
  }
  return absl::StrCat("{", members, "}");
}

bool IsUri(json::Value value) {
  return value.is_string() && !value.string().empty() && value.string().size() <= kMaxUriBytes;
}

}  // namespace

std::string UriArguments(absl::string_view uri) {
  return absl::StrCat(R"({"uri":)", json::Quote(uri), "}");
}

ServerSession::Or<std::vector<Output>> ServerSession::Serve(const Message& message,
                                                            Generation generation,
                                                            const MethodRule& rule) {
  if (generation == Generation::kModern) {
    Remember(message.params().Find("_meta").Find(kClientInfoKey));
  }
  if (rule.method == Method::kPing) return One(Send{ResultMessage(message.id, "{}")});
  Request request{.id = message.id, .generation = generation, .rule = &rule};
  if (const std::optional<Problem> problem = ReadParams(message, request)) return *problem;
  if (rule.method == Method::kToolsCall) {
    // Whether the tool is there is the mediator's to say, with a decision.
    WantCall call = *std::move(request.call);
    request.call = WantCall{.name = call.name, .log_level = call.log_level};
    call.ticket = Begin(std::move(request));
    return One(std::move(call));
  }
  const absl::Duration patience =
      rule.method == Method::kInitialize || rule.method == Method::kDiscover ? kCapabilitiesPatience
                                                                             : absl::ZeroDuration();
  return One(WantList{Begin(std::move(request)), patience});
}

std::optional<ServerSession::Problem> ServerSession::ReadParams(const Message& message,
                                                                Request& request) {
  const json::Value params = message.params();
  switch (request.rule->method) {
    case Method::kInitialize: {
      const json::Value version = params.Find("protocolVersion");
      if (!version.is_string()) {
        return Problem{kInvalidParams, "`protocolVersion` is missing or not a string"};
      }
      Remember(params.Find("clientInfo"));
      legacy_version_ = std::string(NegotiateLegacy(version.string()));
      return std::nullopt;
    }
    case Method::kPing:
    case Method::kDiscover:
      return std::nullopt;
    case Method::kListen:
      return ReadFilter(params.Find("notifications"), request.subscription);
    case Method::kSetLevel:
      request.argument = std::string(params.StringOr("level", ""));
      if (LogSeverity(request.argument)) return std::nullopt;
      return Problem{kInvalidParams,
                     "`level` is not one of debug, info, notice, warning, error, "
                     "critical, alert, emergency"};
    case Method::kToolsList:
    case Method::kResourcesList:
    case Method::kTemplatesList:
    case Method::kPromptsList: {
      const json::Value cursor = params.Find("cursor");
      if (cursor.is_string()) request.cursor = std::string(cursor.string());
      if (!cursor.exists() || cursor.is_string()) return std::nullopt;
      return Problem{kInvalidParams, "`cursor` is not a string"};
    }
    default:
      return ReadCall(message, request);
  }
}

std::optional<ServerSession::Problem> ServerSession::ReadFilter(json::Value notifications,
                                                                Subscription& subscription) {
  if (!notifications.is_object()) {
    return Problem{kInvalidParams, "`notifications` is missing or not an object"};
  }
  const json::Value uris = notifications.Find("resourceSubscriptions");
  if (uris.exists() && !uris.is_array()) {
    return Problem{kInvalidParams, "`resourceSubscriptions` is not an array"};
  }
  if (uris.size() > kMaxSubscriptions) {
    return Problem{kInvalidParams, absl::StrCat("`resourceSubscriptions` names more than ",
                                                kMaxSubscriptions, " resources")};
  }
  for (const json::Value uri : uris.items()) {
    if (!IsUri(uri)) {
      return Problem{kInvalidParams, absl::StrCat("`resourceSubscriptions` has an item that is no "
                                                  "string of 1 to ",
                                                  kMaxUriBytes, " bytes")};
    }
    subscription.uris.emplace(uri.string());
  }
  subscription.tools = notifications.BoolOr("toolsListChanged", false);
  subscription.resources = notifications.BoolOr("resourcesListChanged", false);
  subscription.prompts = notifications.BoolOr("promptsListChanged", false);
  return std::nullopt;
}

std::optional<ServerSession::Problem> ServerSession::ReadCall(const Message& message,
                                                              Request& request) {
  const json::Value params = message.params();
  WantCall call{.kind = KindOf(request.rule->method)};
  std::optional<Problem> problem;
  if (call.kind == CallKind::kTool || call.kind == CallKind::kPrompt) {
    problem = ReadNamed(params, call);
  } else if (call.kind == CallKind::kCompletion) {
    for (const char* key : {"ref", "argument"}) {
      if (params.Find(key).is_object()) continue;
      return Problem{kInvalidParams, absl::StrCat("`", key, "` is missing or not an object")};
    }
    call.arguments = CompletionArguments(params);
  } else {
    const json::Value uri = params.Find("uri");
    if (!IsUri(uri)) {
      return Problem{kInvalidParams, absl::StrCat("`uri` is missing or no string of 1 to ",
                                                  kMaxUriBytes, " bytes")};
    }
    request.argument = std::string(uri.string());
    call.arguments = UriArguments(request.argument);
  }
  if (!problem) problem = ReadLogLevel(params.Find("_meta"), request.generation, call);
  request.progress_token = IdText(params.Find("_meta").Find("progressToken")).value_or("");
  call.want_progress = !request.progress_token.empty();
  request.call = std::move(call);
  return problem;
}

std::optional<ServerSession::Problem> ServerSession::ReadNamed(json::Value params, WantCall& call) {
  const json::Value name = params.Find("name");
  if (!name.is_string()) return Problem{kInvalidParams, "`name` is missing or not a string"};
  if (name.string().size() > kMaxNameBytes) {
    return Problem{kInvalidParams, absl::StrCat(call.kind == CallKind::kTool ? "unknown tool: "
                                                                             : "unknown prompt: ",
                                                Shown(name.string()))};
  }
  const json::Value arguments = params.Find("arguments");
  if (arguments.exists() && !arguments.is_object()) {
    return Problem{kInvalidParams, "`arguments` is not an object"};
  }
  call.name = std::string(name.string());
  call.arguments = arguments.exists() ? json::Dump(arguments) : "{}";
  return std::nullopt;
}

std::optional<ServerSession::Problem> ServerSession::ReadLogLevel(json::Value meta,
                                                                  Generation generation,
                                                                  WantCall& call) {
  if (generation == Generation::kLegacy) {
    call.log_level = log_level_.empty() ? std::string(kDefaultLogLevel) : log_level_;
    return std::nullopt;
  }
  const json::Value level = meta.Find(kLogLevelKey);
  if (!level.exists()) return std::nullopt;
  if (!level.is_string() || !LogSeverity(level.string())) {
    return Problem{kInvalidParams, absl::StrCat("`", kLogLevelKey, "` is not a level of logging")};
  }
  call.log_level = std::string(level.string());
  return std::nullopt;
}

}  // namespace tipstaff::mcp
