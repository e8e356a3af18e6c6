#include "mediator/upstream/http_exchange.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"

namespace tipstaff::upstream {
namespace {

// Counted for each message beside its bytes.
constexpr size_t kMessageOverhead = 64;
constexpr size_t kShownColumns = 60;
constexpr char kHasSecret[] = "its answer has a credential in it, and is dropped";

// `Application/JSON; charset=utf-8` is "application/json".
std::string MediaType(absl::string_view content_type) {
  return absl::AsciiStrToLower(
      absl::StripAsciiWhitespace(content_type.substr(0, content_type.find(';'))));
}

std::string Shown(absl::string_view text) {
  return absl::StrCat("`", base::EscapeAndCut(text, kShownColumns), "`");
}

}  // namespace

void LoopLink::Post(std::function<void()> what) {
  const std::lock_guard lock(mutex_);
  if (loop_ != nullptr) boost::asio::post(*loop_, std::move(what));
}

void LoopLink::Cut() {
  const std::lock_guard lock(mutex_);
  loop_ = nullptr;
}

// ---- on the loop's thread ----

void HttpExchange::Start(HttpClient& client, HttpRequest request) {
  client_ = &client;
  ticket_ = client.Start(std::move(request), shared_from_this());
}

void HttpExchange::GiveUp() {
  on_arrival_ = nullptr;
  if (HttpClient* client = std::exchange(client_, nullptr)) client->Cancel(ticket_);
}

void HttpExchange::Deliver(Arrival arrival, size_t bytes) {
  const bool has_room = undelivered_.fetch_sub(bytes) - bytes <= kMaxUndeliveredBytes;
  if (client_ != nullptr && has_room && paused_.exchange(false)) client_->Resume(ticket_);
  if (arrival.end) client_ = nullptr;
  // It may destroy what holds this exchange; the caller holds it too.
  const OnArrival on_arrival = on_arrival_;
  if (on_arrival) on_arrival(std::move(arrival));
}

// ---- on the client's thread ----

HttpSink::Next HttpExchange::Refuse(std::string why) {
  refusal_ = secrets_->AreIn(why) ? kHasSecret : std::move(why);
  return Next::kStop;
}

HttpSink::Next HttpExchange::OnHead(HttpHead head) {
  status_ = head.status;
  const std::string type = MediaType(head.content_type);
  const std::string encoding = absl::AsciiStrToLower(head.content_encoding);
  const std::string typed = head.content_type;
  pending_.head = std::move(head);
  if (status_ >= 300 && status_ < 400) {
    return Refuse(absl::StrCat("answered ", status_,
                               ", a redirect, which is not followed: configure the final address"));
  }
  if (!encoding.empty() && encoding != "identity") {
    return Refuse(
        absl::StrCat("answered in the encoding ", Shown(encoding), ", which is not asked for"));
  }
  if (status_ >= 400) {
    body_ = Body::kError;
  } else if (type == "application/json") {
    body_ = Body::kMessage;
  } else if (type == "text/event-stream") {
    body_ = Body::kEvents;
    enough_ = expects_ == Expects::kAcknowledgement;
    if (enough_) return Next::kStop;
  } else if (!type.empty() && status_ != 202 && status_ != 204) {
    return Refuse(absl::StrCat("answered with the type ", Shown(typed),
                               ": neither application/json nor text/event-stream"));
  }
  return Next::kMore;
}

HttpSink::Next HttpExchange::OnBytes(absl::string_view bytes) {
  switch (body_) {
    case Body::kEvents:
      return MustWait() ? Next::kPause : TakeEvents(bytes);
    case Body::kMessage:
      if (bytes_.size() + bytes.size() > kMaxMessageBytes) {
        return Refuse(absl::StrCat("said a message of more than ", kMaxMessageBytes, " bytes"));
      }
      bytes_.append(bytes.data(), bytes.size());
      return Next::kMore;
    case Body::kError:
      bytes_.append(bytes.data(), std::min(bytes.size(), kMaxErrorBytes - bytes_.size()));
      return bytes_.size() < kMaxErrorBytes ? Next::kMore : Next::kStop;
    case Body::kNone:
      // With 202 and no type, or another one, a few words are usual.
      enough_ = status_ == 202;
      if (enough_) return Next::kStop;
      return Refuse("answered without a type: neither application/json nor text/event-stream");
  }
  return Next::kStop;
}

// Whether the loop has enough to do; it resumes then.
bool HttpExchange::MustWait() {
  if (undelivered_ <= kMaxUndeliveredBytes) return false;
  paused_ = true;
  // It may have caught up just now, before it could see that it is to resume.
  return undelivered_ > kMaxUndeliveredBytes || !paused_.exchange(false);
}

HttpSink::Next HttpExchange::TakeEvents(absl::string_view bytes) {
  absl::StatusOr<std::vector<std::string>> messages = events_.Add(bytes);
  if (!messages.ok()) return Refuse(std::string(messages.status().message()));
  for (std::string& message : *messages) {
    if (secrets_->AreIn(message)) return Refuse(kHasSecret);
    pending_.messages.push_back(std::move(message));
  }
  if (!pending_.messages.empty()) HandOn();
  return Next::kMore;
}

Arrival::End HttpExchange::EndOf(const HttpEnd& end) {
  if (!refusal_.empty()) return {.body = refusal_, .sent = true};
  if (body_ == Body::kError) {
    if (secrets_->AreIn(bytes_)) bytes_ = kHasSecret;
    return {.status = status_, .body = std::move(bytes_), .sent = true};
  }
  if (!end.whole && !enough_) {
    return {.body = secrets_->AreIn(end.how) ? "the connection failed" : end.how, .sent = end.sent};
  }
  if (body_ == Body::kMessage && secrets_->AreIn(bytes_)) return {.body = kHasSecret, .sent = true};
  if (body_ == Body::kMessage && !bytes_.empty()) pending_.messages.push_back(std::move(bytes_));
  return {.good = true,
          .status = status_,
          .sent = true,
          .last_event_id = events_.last_id(),
          .retry = events_.retry()};
}

void HttpExchange::OnEnd(HttpEnd end) {
  pending_.end = EndOf(end);
  HandOn();
}

void HttpExchange::HandOn() {
  size_t bytes = 0;
  for (const std::string& message : pending_.messages) bytes += message.size() + kMessageOverhead;
  undelivered_ += bytes;
  link_->Post(
      [self = shared_from_this(), bytes, arrival = std::exchange(pending_, Arrival())]() mutable {
        self->Deliver(std::move(arrival), bytes);
      });
}

}  // namespace tipstaff::upstream
