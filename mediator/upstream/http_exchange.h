// One request to an MCP server over HTTP and its response, made into messages.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "mediator/upstream/event_stream.h"
#include "mediator/upstream/http_client.h"
#include "mediator/upstream/limits.h"
#include "mediator/upstream/secrets.h"

namespace boost::asio {
class io_context;
}

namespace tipstaff::upstream {

// A way to the event loop for other threads, for as long as whoever made it wants that.
// Thread-safe.
class LoopLink {
 public:
  explicit LoopLink(boost::asio::io_context& loop) : loop_(&loop) {}
  void Post(std::function<void()> what);
  // Nothing is posted any more; the loop may end.
  void Cut();

 private:
  std::mutex mutex_;
  boost::asio::io_context* loop_;
};

// What came of the response since the last time.
struct Arrival {
  std::optional<HttpHead> head;
  std::vector<std::string> messages;
  // The end. A good one has `status` of the head and no `body`. Else `status` is the HTTP error
  // that came with `body`, or 0, and `body` says what was wrong.
  struct End {
    bool good = false;
    int status = 0;
    std::string body;
    bool sent = false;
    // Of a good one that was a stream of events: where it can be taken up again, "" nowhere.
    std::string last_event_id = {};
    std::optional<absl::Duration> retry = std::nullopt;
  };
  std::optional<End> end;
};

// Reads the response on the client's thread, and hands it on on the event loop's, to which the
// other methods belong. Reads no further while more than kMaxUndeliveredBytes wait for the loop.
class HttpExchange : public HttpSink, public std::enable_shared_from_this<HttpExchange> {
 public:
  using OnArrival = std::function<void(Arrival arrival)>;
  // Of a notification's response nothing is of interest but that it is there: a stream of events is
  // left, which would last.
  enum class Expects { kMessages, kAcknowledgement };

  // A message with one of `secrets` in it ends the exchange: it goes no further.
  HttpExchange(Expects expects, std::shared_ptr<LoopLink> link,
               std::shared_ptr<const Secrets> secrets, OnArrival on_arrival)
      : expects_(expects),
        link_(std::move(link)),
        secrets_(std::move(secrets)),
        on_arrival_(std::move(on_arrival)) {}

  // `client` outlives it, or it is given up.
  void Start(HttpClient& client, HttpRequest request);
  // Nothing of it is handed on any more.
  void GiveUp();

  Next OnHead(HttpHead head) override;
  Next OnBytes(absl::string_view bytes) override;
  void OnEnd(HttpEnd end) override;

 private:
  // What the body is.
  enum class Body { kNone, kMessage, kEvents, kError };

  Next Refuse(std::string why);
  Next TakeEvents(absl::string_view bytes);
  bool MustWait();
  Arrival::End EndOf(const HttpEnd& end);
  void HandOn();
  void Deliver(Arrival arrival, size_t bytes);

  const Expects expects_;
  const std::shared_ptr<LoopLink> link_;
  const std::shared_ptr<const Secrets> secrets_;

  // The loop's.
  OnArrival on_arrival_;
  HttpClient* client_ = nullptr;
  HttpClient::Ticket ticket_ = 0;

  // The client's thread's.
  Body body_ = Body::kNone;
  int status_ = 0;
  std::string bytes_;
  EventStream events_{kMaxMessageBytes};
  bool enough_ = false;  // it was in good order as far as it was read
  std::string refusal_;  // why the response is of no use
  Arrival pending_;

  std::atomic<size_t> undelivered_{0};
  std::atomic<bool> paused_{false};
};

}  // namespace tipstaff::upstream
