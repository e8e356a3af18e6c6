#include "mediator/mcp/session.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/json/write.h"

namespace tipstaff::mcp {
namespace {

std::string ModernVersionList() {
  return absl::StrCat("[\"", absl::StrJoin(ModernVersions(), "\",\""), "\"]");
}

}  // namespace

std::vector<Output> ServerSession::OnMessage(absl::string_view bytes) {
  const std::variant<Message, Invalid> read = ReadMessage(bytes);
  if (const Invalid* invalid = std::get_if<Invalid>(&read)) {
    return Refuse(invalid->id, {invalid->code, invalid->message});
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
  return Refuse("", {kInvalidRequest, absl::StrCat("the message is longer than ", max_bytes,
                                                   " bytes and was skipped")});
}

std::vector<Output> ServerSession::OnRequest(const Message& message) {
  if (ticket_of_.count(message.id) > 0) {
    // Without the id: with it, the client would take this for the answer to the first request.
    return Refuse("", {kInvalidRequest, absl::StrCat("the id ", Shown(message.id),
                                                     " belongs to a request without answer yet")});
  }
  if (const std::optional<Problem> problem = CheckNewRequest(message)) {
    return Refuse(message.id, *problem);
  }
  const Or<Generation> generation = GenerationOf(message);
  if (const Problem* problem = std::get_if<Problem>(&generation)) {
    return Refuse(message.id, *problem);
  }
  const Generation served_by = std::get<Generation>(generation);
  const MethodRule* rule = FindMethod(message.method);
  if (rule == nullptr || !rule->Serves(served_by)) {
    return Refuse(message.id, {kMethodNotFound,
                               absl::StrCat("method not found",
                                            served_by == Generation::kModern
                                                ? absl::StrCat(" in version ", ModernVersions()[0])
                                                : "",
                                            ": ", Shown(message.method))});
  }
  Or<Outputs> served = Serve(message, served_by, *rule);
  if (const Problem* problem = std::get_if<Problem>(&served)) return Refuse(message.id, *problem);
  return std::get<Outputs>(std::move(served));
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
    if (FindMethod(message.method) == nullptr) {
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

std::vector<Output> ServerSession::OnNotification(const Message& message) {
  if (message.method != "notifications/cancelled") return {};
  const std::optional<std::string> id = IdText(message.params().Find("requestId"));
  const auto found = id ? ticket_of_.find(*id) : ticket_of_.end();
  if (found == ticket_of_.end()) return {};  // answered already: the two crossed
  return Cancelled(found->second);
}

std::vector<Output> ServerSession::OnGone(uint64_t ticket) {
  return requests_.count(ticket) > 0 ? Cancelled(ticket) : Outputs();
}

std::vector<Output> ServerSession::Cancelled(uint64_t ticket) {
  Finish(ticket);
  Outputs outputs = One(Cancel{ticket});
  for (auto it = listen_calls_.begin(); it != listen_calls_.end();) {
    const bool belongs = it->second.listen == ticket;
    if (belongs) outputs.push_back(Cancel{it->first});
    it = belongs ? listen_calls_.erase(it) : std::next(it);
  }
  return outputs;
}

std::vector<Output> ServerSession::Refuse(absl::string_view id, const Problem& problem) {
  return One(Send{.message = ErrorMessage(id, problem.code, problem.message, problem.data),
                  .error = problem.code});
}

std::vector<Output> ServerSession::Fail(uint64_t ticket, const Problem& problem) {
  const std::optional<Request> request = Finish(ticket);
  if (!request) return {};
  return One(Send{.message = ErrorMessage(request->id, problem.code, problem.message, problem.data),
                  .ticket = ticket,
                  .error = problem.code});
}

std::vector<Output> ServerSession::Answer(uint64_t ticket, absl::string_view result) {
  const std::optional<Request> request = Finish(ticket);
  if (!request) return {};
  return One(Send{.message = ResultMessage(request->id, result), .ticket = ticket});
}

std::vector<Output> ServerSession::One(Output output) {
  std::vector<Output> outputs;
  outputs.push_back(std::move(output));
  return outputs;
}

uint64_t ServerSession::Begin(Request request) {
  const uint64_t ticket = tickets_->Next();
  ticket_of_[request.id] = ticket;
  requests_[ticket] = std::move(request);
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
