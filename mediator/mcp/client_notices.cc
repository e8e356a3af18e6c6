// What a server says of its own accord.
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"
#include "mediator/mcp/client_session.h"
#include "mediator/mcp/message.h"

namespace tipstaff::mcp {
namespace {

constexpr absl::string_view kListen = "subscriptions/listen";

// An id of ours in a server's message; 0 for what is none.
uint64_t OwnId(json::Value value) {
  uint64_t id = 0;
  if (!value.is_integer() || !absl::SimpleAtoi(json::Dump(value), &id)) return 0;
  return id;
}

}  // namespace

ClientOutputs ClientSession::OnMessage(absl::string_view bytes, absl::Time now, uint64_t request) {
  const bool hears =
      phase_ == Phase::kProbing || phase_ == Phase::kInitializing || phase_ == Phase::kReady;
  if (!hears) return {};
  if (wire_ == Wire::kStdio) request = 0;
  const std::variant<ServerMessage, Answer, Noise> read = ReadFromServer(bytes);
  if (const Noise* noise = std::get_if<Noise>(&read)) {
    Note(noise->why);
  } else if (const Answer* answer = std::get_if<Answer>(&read)) {
    OnAnswer(*answer, request, now);
  } else {
    const ServerMessage& message = std::get<ServerMessage>(read);
    if (message.id.empty()) {
      OnServerNotification(message, request);
    } else {
      OnServerRequest(message);
    }
  }
  return Take();
}

// At once, so that a server that waits for its answer never hangs.
void ClientSession::OnServerRequest(const ServerMessage& message) {
  const std::string answer =
      message.method == "ping"
          ? ResultMessage(message.id, "{}")
          : ErrorMessage(message.id, kMethodNotFound,
                         absl::StrCat("not offered by this client: ", Shown(message.method)));
  if (message.method != "ping") {
    Note(absl::StrCat("asks for ", Shown(message.method), ", which is declined"));
  }
  const bool agreed = phase_ != Phase::kInitializing;
  const bool modern = phase_ == Phase::kProbing ||
                      (phase_ == Phase::kReady && peer_.generation == Generation::kModern);
  out_.push_back(SendNotification{answer, "", agreed ? version_ : "", modern});
}

void ClientSession::OnServerNotification(const ServerMessage& message, uint64_t stream) {
  const absl::string_view method = message.method;
  const json::Value params = message.params();
  if (method == "notifications/progress") return OnProgress(params, stream);
  if (method == "notifications/cancelled") return OnServerCancel(params);
  if (method == "notifications/message") {
    if (!params.is_object()) return Note("a log message without params");
    const auto at = in_flight_.find(stream);
    out_.push_back(Logged{at == in_flight_.end() ? 0 : at->second.ticket, json::Dump(params)});
  } else if (method == "notifications/tools/list_changed") {
    out_.push_back(ListChanged{ListKind::kTools});
  } else if (method == "notifications/resources/list_changed") {
    out_.push_back(ListChanged{ListKind::kResources});
  } else if (method == "notifications/prompts/list_changed") {
    out_.push_back(ListChanged{ListKind::kPrompts});
  } else if (method == "notifications/resources/updated") {
    const json::Value uri = params.Find("uri");
    if (!uri.is_string()) return Note("`notifications/resources/updated` without a `uri`");
    out_.push_back(ResourceUpdated{std::string(uri.string())});
  }
}

void ClientSession::OnProgress(json::Value params, uint64_t stream) {
  const uint64_t id = OwnId(params.Find("progressToken"));
  if (id != 0 && id <= last_id_ && !in_flight_.contains(id)) return;  // it crossed with the end
  const auto at = in_flight_.find(id);
  if (at == in_flight_.end() || !at->second.request.want_progress) {
    return Note(absl::StrCat("progress of a token that was not given: ",
                             Shown(json::Dump(params.Find("progressToken")))));
  }
  if (stream != 0 && stream != id) return Note("progress of a request in another's response");
  const json::Value progress = params.Find("progress"), total = params.Find("total");
  if (!progress.is_number()) return Note("progress that is not a number");
  out_.push_back(Progressed{at->second.ticket, progress.number(),
                            total.is_number() ? total.number() : 0,
                            std::string(params.StringOr("message", ""))});
}

// Modern servers on stdio end a subscription so; nothing else is theirs to cancel.
void ClientSession::OnServerCancel(json::Value params) {
  const auto at = in_flight_.find(OwnId(params.Find("requestId")));
  if (wire_ == Wire::kStdio && at != in_flight_.end() && at->second.request.method == kListen) {
    EndUnanswered(at->second, true, "the server ended the subscription");
    in_flight_.erase(at);
    return;
  }
  Note("cancels a request, which is not the server's to do");
}

void ClientSession::Note(absl::string_view text) {
  if (notes_ > kMaxPeerNotes) return;
  if (notes_++ < kMaxPeerNotes) {
    out_.push_back(PeerNote{std::string(text)});
  } else {
    out_.push_back(PeerNote{"there is more that the server says out of turn; it is not noted"});
  }
}

}  // namespace tipstaff::mcp
