#include "mediator/upstream/http_transport.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <map>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/upstream/header_value.h"
#include "mediator/upstream/http_exchange.h"
#include "mediator/upstream/http_url.h"
#include "mediator/upstream/limits.h"
#include "mediator/upstream/notes.h"

namespace tipstaff::upstream {
namespace {

constexpr char kInitialized[] = "notifications/initialized";

// Nobody waits for the response.
class Deaf final : public HttpSink {
 public:
  Next OnHead(HttpHead) override { return Next::kStop; }
  Next OnBytes(absl::string_view) override { return Next::kStop; }
  void OnEnd(HttpEnd) override {}
};

class HttpTransport final : public Transport {
 public:
  HttpTransport(boost::asio::io_context& loop, std::shared_ptr<HttpClient> client,
                HttpOptions options, Events events)
      : client_(std::move(client)),
        options_(std::move(options)),
        events_(std::move(events)),
        secrets_(
            std::make_shared<const Secrets>(std::vector<std::string>{options_.credential_value})),
        link_(std::make_shared<LoopLink>(loop)),
        loop_(loop),
        reopening_(loop) {}

  ~HttpTransport() override {
    GiveUpAll();
    link_->Cut();
  }

  absl::Status Connect() override {
    TIPSTAFF_RETURN_IF_ERROR(CheckHttpOptions(options_));
    GiveUpAll();
    plain_http_ = IsPlainHttp(options_.url);
    notes_ = std::make_unique<Notes>(*secrets_);
    connected_ = true;
    return absl::OkStatus();
  }

  void Send(const mcp::SendRequest& request) override {
    if (!connected_) return FailLater(request.id, "it is not connected");
    if (holding_) {
      if (HeldBytes() + request.message.size() > kMaxUnsentBytes) {
        return FailLater(request.id, "it does not answer what it was sent");
      }
      held_.emplace_back(request);
    } else {
      Post(request);
    }
  }

  void Send(const mcp::SendNotification& notification) override {
    if (!connected_) return;
    if (holding_) {
      if (HeldBytes() + notification.message.size() > kMaxUnsentBytes) return;
      held_.emplace_back(notification);
    } else {
      Post(notification);
    }
  }

  bool Resume(uint64_t request) override {
    if (!ended_ || ended_->request != request || !connected_) return false;
    const Ended ended = *std::exchange(ended_, std::nullopt);
    if (ended.last_event_id.empty() || ended.resumptions >= kMaxResumptions) return false;
    auto timer = std::make_unique<boost::asio::steady_timer>(loop_);
    timer->expires_after(
        absl::ToChronoMilliseconds(std::min(ended.retry.value_or(kFirstReopen), kLastReopen)));
    timer->async_wait([this, ended, serial = connection_,
                       alive = std::weak_ptr(alive_)](boost::system::error_code error) {
      if (error || alive.expired() || serial != connection_) return;
      if (resuming_.erase(ended.request) != 0) AskForTheRest(ended);
    });
    resuming_[request] = std::move(timer);
    return true;
  }

  void Forget(uint64_t request) override {
    resuming_.erase(request);
    std::erase_if(held_, [request](const Held& held) {
      const auto* one = std::get_if<mcp::SendRequest>(&held);
      return one != nullptr && one->id == request;
    });
    if (const auto node = requests_.extract(request)) GiveUp(node.mapped());
  }

  void Kill(std::string why) override {
    if (!connected_) return;
    GiveUpAll();
    link_->Post([this, why = std::move(why), alive = std::weak_ptr(alive_)] {
      if (alive.expired()) return;
      const auto on_gone = events_.on_gone;
      if (on_gone) on_gone(why);
    });
  }

  void Close(std::string why) override { Kill(std::move(why)); }

 private:
  using Exchange = std::shared_ptr<HttpExchange>;
  using Held = std::variant<mcp::SendRequest, mcp::SendNotification>;
  struct Sent {
    Exchange exchange;
    size_t bytes = 0;
    bool may_resume = false;  // a modern response that ends is over
    int resumptions = 0;
  };
  // A response that is at its end, and where the rest of it begins.
  struct Ended {
    uint64_t request = 0;
    std::string last_event_id;
    std::optional<absl::Duration> retry;
    int resumptions = 0;
  };

  // ---- what is sent ----

  size_t HeldBytes() const {
    size_t bytes = 0;
    for (const Held& held : held_) {
      bytes += std::visit([](const auto& one) { return one.message.size(); }, held);
    }
    return bytes;
  }

  void Post(const mcp::SendRequest& request) {
    if (unanswered_bytes_ + request.message.size() > kMaxUnsentBytes) {
      return FailLater(request.id, "it does not answer what it was sent");
    }
    const bool begins_session = request.method == "initialize";
    HttpRequest http = NewPost(request.message, request.version);
    if (request.modern) {
      AddModern(http, request.method, request.name);
      for (const auto& [name, value] : request.params) {
        http.headers.push_back(absl::StrCat(name, ": ", HeaderValue(value)));
      }
    }
    Exchange exchange = NewExchange([this, id = request.id, begins_session](Arrival arrival) {
      OnResponse(id, begins_session, std::move(arrival));
    });
    unanswered_bytes_ += request.message.size();
    requests_[request.id] = {exchange, request.message.size(), !request.modern};
    exchange->Start(*client_, std::move(http));
  }

  void Post(const mcp::SendNotification& notification) {
    if (unanswered_bytes_ + notification.message.size() > kMaxUnsentBytes) return;
    const bool opens_stream = notification.method == kInitialized && !notification.modern;
    HttpRequest http = NewPost(notification.message, notification.version);
    http.timeout = kNotificationTime;
    if (notification.modern && !notification.method.empty()) {
      AddModern(http, notification.method, "");
    }
    const uint64_t key = ++last_notification_;
    Exchange exchange =
        NewExchange([this, key, opens_stream](
                        Arrival arrival) { OnNotified(key, opens_stream, std::move(arrival)); },
                    HttpExchange::Expects::kAcknowledgement);
    holding_ = holding_ || opens_stream;
    unanswered_bytes_ += notification.message.size();
    notifications_[key] = {exchange, notification.message.size()};
    exchange->Start(*client_, std::move(http));
  }

  HttpRequest NewPost(const std::string& message, const std::string& version) {
    if (!version.empty()) version_ = version;
    HttpRequest http = NewRequest("POST", version);
    http.headers.push_back("Content-Type: application/json");
    http.headers.push_back("Accept: application/json, text/event-stream");
    http.body = message;
    return http;
  }

  HttpRequest NewRequest(std::string method, const std::string& version) const {
    HttpRequest http;
    http.method = std::move(method);
    http.url = options_.url;
    http.ca_file = options_.ca_file;
    http.connect_timeout = options_.connect_timeout;
    http.address = address_;
    http.only_loopback = plain_http_;
    if (!version.empty()) {
      http.headers.push_back(absl::StrCat("MCP-Protocol-Version: ", HeaderValue(version)));
    }
    if (!session_.empty()) http.headers.push_back(absl::StrCat("Mcp-Session-Id: ", session_));
    if (!options_.credential_header.empty()) {
      http.headers.push_back(
          absl::StrCat(options_.credential_header, ": ", options_.credential_value));
    }
    return http;
  }

  static void AddModern(HttpRequest& http, const std::string& method, const std::string& name) {
    http.headers.push_back(absl::StrCat("Mcp-Method: ", HeaderValue(method)));
    if (!name.empty()) http.headers.push_back(absl::StrCat("Mcp-Name: ", HeaderValue(name)));
  }

  Exchange NewExchange(HttpExchange::OnArrival on_arrival,
                       HttpExchange::Expects expects = HttpExchange::Expects::kMessages) {
    return std::make_shared<HttpExchange>(expects, link_, secrets_, std::move(on_arrival));
  }

  // Not from within Send().
  void FailLater(uint64_t request, std::string why) {
    link_->Post(
        [this, request, why = std::move(why), serial = connection_, alive = std::weak_ptr(alive_)] {
          // The next connection may use the same ids.
          if (!alive.expired() && serial == connection_) Fail(request, {.body = why});
        });
  }

  // ---- what comes; each of the callbacks may destroy this object ----

  void OnResponse(uint64_t id, bool begins_session, Arrival arrival) {
    const std::weak_ptr<const bool> alive = alive_;
    if (arrival.head && !TakeHead(id, begins_session, *arrival.head)) return;
    for (const std::string& message : arrival.messages) {
      const auto on_message = events_.on_message;
      on_message(message, id);
      if (alive.expired() || !requests_.contains(id)) return;
    }
    if (!arrival.end) return;
    const Sent sent = requests_.extract(id).mapped();
    unanswered_bytes_ -= sent.bytes;
    if (!arrival.end->good) return Fail(id, *arrival.end);
    if (sent.may_resume) {
      ended_ = {id, arrival.end->last_event_id, arrival.end->retry, sent.resumptions};
    }
    const auto on_response_end = events_.on_response_end;
    on_response_end(id);
    if (!alive.expired()) ended_.reset();
  }

  void AskForTheRest(const Ended& ended) {
    HttpRequest http = NewRequest("GET", version_);
    http.headers.push_back("Accept: text/event-stream");
    http.headers.push_back(absl::StrCat("Last-Event-ID: ", ended.last_event_id));
    Exchange exchange = NewExchange([this, id = ended.request](Arrival arrival) {
      OnResponse(id, /*begins_session=*/false, std::move(arrival));
    });
    requests_[ended.request] = {exchange, 0, /*may_resume=*/true, ended.resumptions + 1};
    exchange->Start(*client_, std::move(http));
  }

  // False where the response is at an end.
  bool TakeHead(uint64_t id, bool begins_session, const HttpHead& head) {
    if (address_.empty()) address_ = head.address;
    if (!begins_session || head.session.empty() || head.status >= 300) return true;
    if (IsSessionId(head.session)) {
      session_ = head.session;
      return true;
    }
    GiveUp(requests_.extract(id).mapped());
    Fail(id, {.body = "its session id is not one", .sent = true});
    return false;
  }

  void Fail(uint64_t request, const Arrival::End& end) {
    const auto on_failure = events_.on_failure;
    on_failure(request, end.status, end.body, end.sent);
  }

  void OnNotified(uint64_t key, bool opens_stream, Arrival arrival) {
    if (arrival.head && address_.empty()) address_ = arrival.head->address;
    if (!arrival.end) return;
    unanswered_bytes_ -= notifications_.extract(key).mapped().bytes;
    if (opens_stream) {
      // What is held may lead to failures, never to a call back at once.
      holding_ = false;
      for (const Held& held : std::exchange(held_, {})) {
        std::visit([this](const auto& one) { Send(one); }, held);
      }
      if (arrival.end->good) OpenStream();
    }
    if (!arrival.end->good)
      Note(absl::StrCat("does not take a notification: ", Shown(*arrival.end)));
  }

  static std::string Shown(const Arrival::End& end) {
    return end.status != 0 ? absl::StrCat("HTTP ", end.status) : end.body;
  }

  void Note(absl::string_view text) {
    const std::weak_ptr<const bool> alive = alive_;
    const auto on_note = events_.on_note;
    for (std::string& note : notes_->Take(text)) {
      if (on_note && !alive.expired()) on_note(std::move(note));
    }
  }

  // ---- a legacy server's stream of notifications ----

  void OpenStream() {
    HttpRequest http = NewRequest("GET", version_);
    http.headers.push_back("Accept: text/event-stream");
    stream_since_ = absl::Now();
    stream_ = NewExchange([this](Arrival arrival) { OnStream(std::move(arrival)); });
    stream_->Start(*client_, std::move(http));
  }

  void OnStream(Arrival arrival) {
    const Exchange stream = stream_;
    const std::weak_ptr<const bool> alive = alive_;
    for (const std::string& message : arrival.messages) {
      const auto on_message = events_.on_message;
      on_message(message, 0);
      if (alive.expired() || stream_ != stream) return;
    }
    if (!arrival.end) return;
    stream_ = nullptr;
    // 405: there is none; another 4xx will not change by asking again (404: the session is gone,
    // which the next request learns).
    if (arrival.end->status >= 400 && arrival.end->status < 500) return;
    if (absl::Now() - stream_since_ > kLastReopen) pause_ = kFirstReopen;
    ReopenAfter(pause_);
    pause_ = std::min(2 * pause_, kLastReopen);
    if (!arrival.end->good)
      Note(absl::StrCat("its stream of notifications: ", Shown(*arrival.end)));
  }

  void ReopenAfter(absl::Duration pause) {
    reopening_.expires_after(absl::ToChronoMilliseconds(pause));
    reopening_.async_wait([this, serial = connection_,
                           alive = std::weak_ptr(alive_)](boost::system::error_code error) {
      // One that has expired already is not called off by the timer's end.
      if (!error && !alive.expired() && serial == connection_) OpenStream();
    });
  }

  // ---- the end of a connection ----

  void GiveUp(const Sent& sent) {
    unanswered_bytes_ -= sent.bytes;
    sent.exchange->GiveUp();
  }

  void GiveUpAll() {
    ++connection_;
    connected_ = holding_ = false;
    held_.clear();
    resuming_.clear();
    ended_.reset();
    for (const auto& [id, sent] : std::exchange(requests_, {})) GiveUp(sent);
    for (const auto& [key, sent] : std::exchange(notifications_, {})) GiveUp(sent);
    if (const Exchange stream = std::exchange(stream_, nullptr)) stream->GiveUp();
    reopening_.cancel();
    pause_ = kFirstReopen;
    EndSession();
  }

  void EndSession() {
    if (session_.empty()) return;
    HttpRequest http = NewRequest("DELETE", version_);
    http.timeout = kTimeToExit;
    http.is_last_word = true;
    client_->Start(std::move(http), std::make_shared<Deaf>());
    session_.clear();
  }

  const std::shared_ptr<HttpClient> client_;
  const HttpOptions options_;
  const Events events_;
  const std::shared_ptr<const Secrets> secrets_;
  const std::shared_ptr<LoopLink> link_;
  boost::asio::io_context& loop_;
  std::unique_ptr<Notes> notes_;  // of this connection

  bool connected_ = false;
  bool plain_http_ = false;
  uint64_t connection_ = 0;
  std::string address_;  // that the name resolved to; it stays
  std::string session_, version_;
  std::map<uint64_t, Sent> requests_;
  std::map<uint64_t, Sent> notifications_;
  std::optional<Ended> ended_;  // while it is being reported
  std::map<uint64_t, std::unique_ptr<boost::asio::steady_timer>> resuming_;
  uint64_t last_notification_ = 0;
  size_t unanswered_bytes_ = 0;
  bool holding_ = false;  // `notifications/initialized` is under way
  std::deque<Held> held_;
  Exchange stream_;
  absl::Time stream_since_;
  absl::Duration pause_ = kFirstReopen;
  boost::asio::steady_timer reopening_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
};

}  // namespace

std::unique_ptr<Transport> MakeHttpTransport(boost::asio::io_context& loop,
                                             std::shared_ptr<HttpClient> client,
                                             HttpOptions options, Transport::Events events) {
  return std::make_unique<HttpTransport>(loop, std::move(client), std::move(options),
                                         std::move(events));
}

}  // namespace tipstaff::upstream
