#include "mediator/mcp/client_session.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/json/write.h"
#include "mediator/mcp/message.h"

namespace tipstaff::mcp {
namespace {

constexpr size_t kMaxForgotten = 256;
constexpr size_t kColumnsOfHow = 200;

}  // namespace

bool Peer::Has(absl::string_view capability) const {
  return capabilities.root().Find(capability).is_object();
}

ClientSession::ClientSession(Wire wire, ServerInfo self, std::optional<Generation> expected)
    : wire_(wire), self_(std::move(self)), next_(expected.value_or(Generation::kModern)) {}

ClientOutputs ClientSession::Start(absl::Time now) { return OnConnected(now); }

ClientOutputs ClientSession::OnConnected(absl::Time now) {
  const bool due = phase_ == Phase::kNew || phase_ == Phase::kReconnecting ||
                   phase_ == Phase::kGone || phase_ == Phase::kUnusable;
  if (!due) return {};
  if (phase_ != Phase::kReconnecting) probes_ = initializes_ = 0;
  connected_ = true;
  notes_ = 0;
  forgotten_.clear();
  Begin(now);
  return Take();
}

ClientOutputs ClientSession::OnGone(absl::string_view how, absl::Time now) {
  const bool was_connected = std::exchange(connected_, false);
  if (phase_ == Phase::kNew || phase_ == Phase::kGone || phase_ == Phase::kUnusable) return {};
  if (phase_ == Phase::kReconnecting && was_connected) return {};  // the one that was given up
  handshake_id_ = 0;
  const std::string why = base::EscapeAndCut(how, kColumnsOfHow);
  if (phase_ == Phase::kProbing && initializes_ == 0) {
    next_ = Generation::kLegacy;
    Break(absl::StrCat("`server/discover`: ", why), now);
    return Take();
  }
  phase_ = Phase::kGone;
  deadline_.reset();
  if (!proven_) next_ = Generation::kModern;
  EndAll(why);
  EndWaiting(why);
  return Take();
}

std::optional<absl::Time> ClientSession::deadline() const { return deadline_; }

ClientOutputs ClientSession::OnTime(absl::Time now) {
  if (!deadline_ || now < *deadline_) return {};
  deadline_.reset();
  if (phase_ == Phase::kReconnecting) {
    phase_ = Phase::kGone;
    EndWaiting(absl::StrCat("no connection within ", absl::FormatDuration(kInitializeTime)));
    return Take();
  }
  const absl::Duration time = phase_ == Phase::kProbing ? kProbeTime : kInitializeTime;
  if (wire_ == Wire::kHttp) out_.push_back(ForgetRequest{handshake_id_});
  forgotten_.push_back(handshake_id_);
  OnHandshakeFailure(absl::StrCat("no answer within ", absl::FormatDuration(time)), now);
  return Take();
}

ClientOutputs ClientSession::Request(ClientRequest request, absl::Time, uint64_t& ticket) {
  ticket = ++last_ticket_;
  if (request.params.empty()) request.params = "{}";
  Asked asked{.ticket = ticket, .request = std::move(request)};
  if (AreParams(asked.request.params)) {
    Ask(std::move(asked));
  } else {
    EndUnanswered(asked, false, "the params are not a JSON object on one line without `_meta`");
  }
  return Take();
}

ClientOutputs ClientSession::List(ListKind kind, absl::Time, uint64_t& ticket) {
  ticket = ++last_ticket_;
  ClientRequest request{.method = std::string(ListMethod(kind)), .params = "{}"};
  Ask({.ticket = ticket, .request = std::move(request), .list = ListPages(kind)});
  return Take();
}

ClientOutputs ClientSession::Cancel(uint64_t ticket, absl::string_view why) {
  const auto is_it = [&](const Asked& asked) { return asked.ticket == ticket; };
  waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(), is_it), waiting_.end());
  const auto at = std::find_if(in_flight_.begin(), in_flight_.end(),
                               [&](const auto& entry) { return is_it(entry.second); });
  if (at == in_flight_.end()) return Take();
  const uint64_t id = at->first;
  in_flight_.erase(at);
  forgotten_.push_back(id);
  if (forgotten_.size() > kMaxForgotten) forgotten_.pop_front();
  // A modern server over HTTP takes the end of the stream for it.
  const bool modern = peer_.generation == Generation::kModern;
  if (wire_ == Wire::kStdio || !modern) {
    out_.push_back(SendNotification{
        NotificationMessage(
            "notifications/cancelled",
            absl::StrCat(R"({"requestId":)", id, R"(,"reason":)", json::Quote(why), "}")),
        "notifications/cancelled", version_, modern});
  }
  if (wire_ == Wire::kHttp) out_.push_back(ForgetRequest{id});
  return Take();
}

ClientOutputs ClientSession::Notify(absl::string_view method, absl::string_view params) {
  if (phase_ != Phase::kReady || !AreParams(params)) return {};
  out_.push_back(SendNotification{NotificationMessage(method, params), std::string(method),
                                  version_, peer_.generation == Generation::kModern});
  return Take();
}

bool ClientSession::ready() const { return phase_ == Phase::kReady; }
const Peer& ClientSession::peer() const { return peer_; }
bool ClientSession::IsInFlight(uint64_t request) const { return in_flight_.contains(request); }
size_t ClientSession::requests_in_flight() const { return in_flight_.size(); }

ClientOutputs ClientSession::Take() { return std::exchange(out_, {}); }

void ClientSession::Ask(Asked asked) {
  if (phase_ == Phase::kReady) return SendAsked(std::move(asked));
  if (phase_ == Phase::kGone) return EndUnanswered(asked, false, "there is no connection");
  if (phase_ == Phase::kUnusable) return EndUnanswered(asked, false, "the server is of no use");
  waiting_.push_back(std::move(asked));
}

void ClientSession::SendAsked(Asked asked) {
  const uint64_t id = ++last_id_;
  const ClientRequest& request = asked.request;
  RequestMeta meta{
      .generation = peer_.generation, .version = version_, .log_level = request.log_level};
  if (request.want_progress) meta.progress_token = id;
  out_.push_back(SendRequest{
      id, RequestMessage(id, request.method, request.params, RequestMetaJson(meta, self_)),
      request.method, request.name, version_, peer_.generation == Generation::kModern,
      request.params_headers});
  in_flight_.emplace(id, std::move(asked));
}

void ClientSession::EndUnanswered(const Asked& asked, bool sent, absl::string_view why) {
  out_.push_back(Unanswered{asked.ticket, sent, std::string(why)});
}

void ClientSession::EndAll(absl::string_view why) {
  for (const auto& [id, asked] : std::exchange(in_flight_, {})) EndUnanswered(asked, true, why);
}

void ClientSession::EndWaiting(absl::string_view why) {
  for (const Asked& asked : std::exchange(waiting_, {})) EndUnanswered(asked, false, why);
}

}  // namespace tipstaff::mcp
