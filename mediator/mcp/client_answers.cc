// What becomes of a request: answers, and what stands for one over HTTP.
#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/json/write.h"
#include "mediator/mcp/client_session.h"
#include "mediator/mcp/message.h"

namespace tipstaff::mcp {
namespace {

constexpr size_t kColumnsOfHow = 200;

// By which a server says that it did nothing: redirects, and refusals to take the request at all.
bool DidNothing(int status) {
  constexpr int kRefusals[] = {401, 403, 404, 405, 406, 407, 411,
                               413, 414, 415, 421, 426, 429, 431};
  return (status >= 300 && status < 400) ||
         std::find(std::begin(kRefusals), std::end(kRefusals), status) != std::end(kRefusals);
}

// Why a result is declined, or nothing. To legacy servers the member means nothing; but a request
// for input is none of a call's results there either.
std::string WhyDeclined(json::Value result, Generation generation) {
  const json::Value type = result.Find("resultType");
  if (!type.exists()) return "";
  const absl::string_view name = type.is_string() ? type.string() : "";
  if (name == "input_required") return "the server asks for input, which is declined";
  if (name == "complete" || generation == Generation::kLegacy) return "";
  return absl::StrCat("the server's result is of another type: ", Shown(name));
}

}  // namespace

void ClientSession::OnAnswer(const Answer& answer, uint64_t stream, absl::Time now) {
  uint64_t id = 0;
  if (answer.id.empty()) {
    // Whom it belongs to is certain in a response of its own, and when nothing else was sent.
    id = wire_ == Wire::kHttp ? stream : handshake_id_;
  } else if (!absl::SimpleAtoi(answer.id, &id)) {
    id = 0;
  }
  if (id != 0 && wire_ == Wire::kHttp && id != stream) {
    return Note(absl::StrCat("an answer to request ", Shown(answer.id), " in another's response"));
  }
  if (id != 0 && id == handshake_id_) return OnHandshakeAnswer(answer, now);
  if (const auto at = in_flight_.find(id); at != in_flight_.end()) return Settle(at, answer);
  const auto forgotten = std::find(forgotten_.begin(), forgotten_.end(), id);
  if (forgotten == forgotten_.end()) {
    return Note(absl::StrCat("an answer that nobody waits for, of id ", Shown(answer.id)));
  }
  forgotten_.erase(forgotten);
}

void ClientSession::Settle(InFlight::iterator at, const Answer& answer) {
  const uint64_t ticket = at->second.ticket;
  std::string declined;
  if (answer.kind == Answer::Kind::kMalformed) {
    declined = absl::StrCat("the server's answer is of no use: ", answer.malformed);
  } else if (answer.kind == Answer::Kind::kResult) {
    declined = WhyDeclined(answer.result(), peer_.generation);
  }
  if (declined.empty() && at->second.list) return SettlePage(at, answer);
  in_flight_.erase(at);
  if (!declined.empty()) {
    out_.push_back(Unanswered{ticket, true, declined});
  } else if (answer.kind == Answer::Kind::kResult) {
    out_.push_back(Answered{.ticket = ticket, .result = json::Dump(answer.result())});
  } else {
    const json::Value data = answer.error().Find("data");
    out_.push_back(Answered{
        .ticket = ticket,
        .error = Answered::Error{answer.code, std::string(answer.error().StringOr("message", "")),
                                 data.exists() ? json::Dump(data) : ""}});
  }
}

void ClientSession::SettlePage(InFlight::iterator at, const Answer& answer) {
  Asked asked = std::move(at->second);
  in_flight_.erase(at);
  const std::string what = absl::StrCat("`", asked.request.method, "`: ");
  if (answer.kind == Answer::Kind::kError) {
    const absl::string_view message = answer.error().StringOr("message", "");
    out_.push_back(
        Listed{asked.ticket, {}, absl::StrCat(what, "error ", answer.code, " ", Shown(message))});
    return;
  }
  absl::StatusOr<std::optional<std::string>> next = asked.list->Add(answer.result());
  if (!next.ok()) {
    out_.push_back(Listed{asked.ticket, {}, absl::StrCat(what, next.status().message())});
  } else if (!*next) {
    out_.push_back(Listed{asked.ticket, asked.list->TakeItems(), ""});
  } else {
    asked.request.params = **std::move(next);
    SendAsked(std::move(asked));
  }
}

ClientOutputs ClientSession::OnHttpFailure(uint64_t request, int status, absl::string_view body,
                                           bool sent, absl::Time now) {
  if (wire_ != Wire::kHttp) return {};
  const bool handshake = request != 0 && request == handshake_id_;
  const auto at = in_flight_.find(request);
  if (!handshake && at == in_flight_.end()) return {};
  if (!handshake && status == 404 && peer_.generation == Generation::kLegacy) {
    OnSessionGone(request, now);
    return Take();
  }
  if (status != 0) {
    const std::variant<ServerMessage, Answer, Noise> read = ReadFromServer(body);
    const Answer* answer = std::get_if<Answer>(&read);
    const bool is_error = answer != nullptr && answer->kind == Answer::Kind::kError;
    if (is_error && (answer->id.empty() || answer->id == absl::StrCat(request))) {
      OnAnswer(*answer, request, now);
      return Take();
    }
  }
  const std::string why =
      status != 0 ? absl::StrCat("HTTP ", status)
                  : base::EscapeAndCut(body.substr(0, 4 * kColumnsOfHow), kColumnsOfHow);
  if (handshake) {
    OnHandshakeFailure(why, now);
  } else {
    EndUnanswered(at->second, status != 0 ? !DidNothing(status) : sent, why);
    in_flight_.erase(at);
  }
  return Take();
}

void ClientSession::OnSessionGone(uint64_t request, absl::Time now) {
  constexpr absl::string_view kWhy = "the server knows the session no more (HTTP 404)";
  const auto at = in_flight_.find(request);
  EndUnanswered(at->second, false, kWhy);
  in_flight_.erase(at);
  for (const auto& [id, asked] : in_flight_) out_.push_back(ForgetRequest{id});
  EndAll(kWhy);
  Break(kWhy, now);
}

ClientOutputs ClientSession::OnResponseEnd(uint64_t request, absl::Time now) {
  constexpr absl::string_view kWhy = "the response ended without an answer";
  if (wire_ != Wire::kHttp) return {};
  if (request != 0 && request == handshake_id_) {
    OnHandshakeFailure(kWhy, now);
  } else if (const auto at = in_flight_.find(request); at != in_flight_.end()) {
    EndUnanswered(at->second, true, kWhy);
    in_flight_.erase(at);
  }
  return Take();
}

}  // namespace tipstaff::mcp
