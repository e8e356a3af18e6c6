// What the session makes of a call's progress, log messages and end.
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/mcp/call_result.h"
#include "mediator/mcp/log_level.h"
#include "mediator/mcp/session.h"

namespace tipstaff::mcp {
namespace {

std::string DecisionData(const std::optional<Decision>& decision) {
  if (!decision) return "";
  return absl::StrCat("{", json::Quote(kDecisionKey), ":", DecisionJson(*decision), "}");
}

bool IsAboutResource(CallKind kind) {
  return kind == CallKind::kResource || kind == CallKind::kSubscription;
}

// As DecisionData, with the resource that the error is about: clients look for it there.
std::string ErrorData(const std::optional<Decision>& decision, const std::string& uri) {
  const std::string member = absl::StrCat(R"({"uri":)", json::Quote(uri));
  if (!decision) return member + "}";
  return absl::StrCat(member, ",", DecisionData(decision).substr(1));
}

// The code that an upstream's or the mediator's error has for a client: what would speak of the
// client's own connection (its JSON, its version, its method) is an internal error.
int CodeFor(const CallError& error, CallKind kind, Generation generation) {
  if (error.code == kResourceNotFound && IsAboutResource(kind)) {
    return generation == Generation::kModern ? kInvalidParams : kResourceNotFound;
  }
  constexpr int kReserved[] = {0,
                               kParseError,
                               kInvalidRequest,
                               kMethodNotFound,
                               kHeaderMismatch,
                               kMissingCapability,
                               kUnsupportedVersion};
  for (const int code : kReserved) {
    if (error.code == code) return kInternalError;
  }
  return error.code;
}

// A refusal without an error is one all the same.
bool IsGranted(const CallEnd& end) {
  return !end.error && (!end.decision || end.decision->verdict == "allow");
}

std::string Unknown(CallKind kind, absl::string_view name) {
  switch (kind) {
    case CallKind::kTool:
      return absl::StrCat("unknown tool: ", Shown(name));
    case CallKind::kPrompt:
      return absl::StrCat("unknown prompt: ", Shown(name));
    case CallKind::kCompletion:
      return "unknown prompt or resource template";
    default:
      return absl::StrCat("resource not found: ", Shown(name));
  }
}

}  // namespace

std::vector<Output> ServerSession::OnProgress(uint64_t ticket, const CallProgress& progress) {
  const auto found = requests_.find(ticket);
  if (found == requests_.end() || found->second.progress_token.empty()) return {};
  Request& request = found->second;
  // The protocol wants progress to grow; after a reconnection the mediator may repeat itself.
  if (!std::isfinite(progress.progress) || !std::isfinite(progress.total) ||
      (request.progress && progress.progress <= *request.progress)) {
    return {};
  }
  request.progress = progress.progress;
  json::Builder b;
  b.StartObject().Key("progress").Double(progress.progress);
  if (progress.total != 0) b.Key("total").Double(progress.total);
  if (!progress.message.empty()) b.Field("message", progress.message);
  b.EndObject();
  const absl::StatusOr<json::Document> document = std::move(b).Build();
  if (!document.ok()) return {};
  const std::string members = json::Dump(document->root());
  return One(Send{
      .message = NotificationMessage(
          "notifications/progress",
          absl::StrCat(R"({"progressToken":)", request.progress_token, ",", members.substr(1))),
      .ticket = ticket,
      .kind = Send::Kind::kEvent});
}

std::vector<Output> ServerSession::OnLog(uint64_t ticket, absl::string_view params) {
  const auto found = requests_.find(ticket);
  if (found == requests_.end() || !found->second.call) return {};
  const std::optional<int> wanted = LogSeverity(found->second.call->log_level);
  const absl::StatusOr<json::Document> document =
      json::Parse(params, {.max_depth = kMaxMessageDepth});
  if (!document.ok() || !document->root().Find("data").exists()) return {};
  const std::optional<int> severity = LogSeverity(document->root().StringOr("level", ""));
  if (!wanted || !severity || *severity < *wanted) return {};
  std::string members;
  for (const json::Member& member : document->root().members()) {
    // `_meta` is between a server and its client: it could name a subscription of this one.
    if (member.key == "_meta") continue;
    absl::StrAppend(&members, members.empty() ? "" : ",", json::Quote(member.key), ":",
                    json::Dump(member.value));
  }
  return {
      Send{.message = NotificationMessage("notifications/message", absl::StrCat("{", members, "}")),
           .ticket = ticket,
           .kind = Send::Kind::kEvent}};
}

std::vector<Output> ServerSession::OnCallEnd(uint64_t ticket, const CallEnd& end) {
  if (const auto call = listen_calls_.find(ticket); call != listen_calls_.end()) {
    return OnListenCallEnd(call->second.listen, ticket, IsGranted(end));
  }
  const auto found = requests_.find(ticket);
  if (found == requests_.end() || !found->second.call) return {};
  const Request& request = found->second;
  const CallKind kind = request.call->kind;
  const bool refused = kind != CallKind::kTool && !IsGranted(end);
  if (end.error || refused || (end.decision && end.decision->reason == "unknown_tool")) {
    return OnCallError(ticket, request, end);
  }
  const absl::StatusOr<std::string> result =
      CallResult(kind, end.result, request.generation, info_, end.decision);
  if (!result.ok()) {
    return Fail(ticket, {kInternalError,
                         absl::StrCat("the mediator's result is not a result of `",
                                      request.rule->name, "`: ", result.status().message()),
                         DecisionData(end.decision)});
  }
  if (kind == CallKind::kSubscription) legacy_uris_.insert(request.argument);
  return Answer(ticket, *result);
}

std::vector<Output> ServerSession::OnCallError(uint64_t ticket, const Request& request,
                                               const CallEnd& end) {
  const CallKind kind = request.call->kind;
  const std::string data = IsAboutResource(kind) ? ErrorData(end.decision, request.argument)
                                                 : DecisionData(end.decision);
  if (end.decision && end.decision->reason == "unknown_tool") {
    const CallError error = {IsAboutResource(kind) ? kResourceNotFound : kInvalidParams, ""};
    return Fail(
        ticket,
        {CodeFor(error, kind, request.generation),
         Unknown(kind, IsAboutResource(kind) ? request.argument : request.call->name), data});
  }
  const CallError error =
      end.error.value_or(CallError{kInternalError, "the mediator refused this and gave no reason"});
  return Fail(ticket, {CodeFor(error, kind, request.generation), error.message, data});
}

}  // namespace tipstaff::mcp
