#include "mediator/upstream/http_client.h"

#include <curl/curl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "mediator/base/fd.h"
#include "mediator/upstream/http_transfer.h"
#include "mediator/upstream/limits.h"

namespace tipstaff::upstream {
namespace {

// Handles that are kept for later requests, and idle connections.
constexpr size_t kMaxSpareHandles = 64;
constexpr long kMaxIdleConnections = 128;
constexpr int kMaxEvents = 64;

using Clock = std::chrono::steady_clock;

void InitOnce() {
  static const CURLcode done = curl_global_init(CURL_GLOBAL_DEFAULT);
  (void)done;
}

int CurlEvents(uint32_t events) {
  int flags = 0;
  if (events & EPOLLIN) flags |= CURL_CSELECT_IN;
  if (events & EPOLLOUT) flags |= CURL_CSELECT_OUT;
  if (events & (EPOLLERR | EPOLLHUP)) flags |= CURL_CSELECT_ERR;
  return flags;
}

}  // namespace

class HttpClient::Impl {
 public:
  Impl() { InitOnce(); }

  ~Impl() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    if (!thread_.joinable()) return;
    Wake();
    thread_.join();
  }

  Ticket Start(HttpRequest request, std::shared_ptr<HttpSink> sink) {
    const std::lock_guard lock(mutex_);
    const Ticket ticket = ++last_ticket_;
    if (!IsRunning()) {
      sink->OnEnd({.how = "this process has no descriptors or threads left"});
      return ticket;
    }
    const bool was_empty = orders_.empty();
    orders_.push_back({Order::kStart, ticket, std::move(request), std::move(sink)});
    if (was_empty) Wake();
    return ticket;
  }

  void Tell(int what, Ticket ticket) {
    const std::lock_guard lock(mutex_);
    if (!thread_.joinable()) return;
    const bool was_empty = orders_.empty();
    orders_.push_back({what, ticket, {}, nullptr});
    if (was_empty) Wake();
  }

  struct Order {
    enum { kStart, kCancel, kResume };
    int what = kStart;
    Ticket ticket = 0;
    HttpRequest request;
    std::shared_ptr<HttpSink> sink;
  };

 private:
  // Starts the thread where it does not run yet.
  bool IsRunning() {
    if (thread_.joinable()) return true;
    wake_ = base::Fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    epoll_ = base::Fd(::epoll_create1(EPOLL_CLOEXEC));
    epoll_event event{.events = EPOLLIN, .data = {.fd = wake_.get()}};
    if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_.get(), &event) != 0) return false;
    try {
      thread_ = std::thread([this] { Run(); });
    } catch (const std::system_error&) {
      return false;
    }
    return true;
  }

  void Wake() {
    const uint64_t one = 1;
    // It fails only where it is set already.
    [[maybe_unused]] const ssize_t put = ::write(wake_.get(), &one, sizeof one);
  }

  // ---- on the thread ----

  void Run() {
    // Signals are the event loop's; a write to a closed connection is an error, not SIGPIPE.
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
    SetUpMulti();
    while (!Stopped()) {
      TakeOrders();
      AwaitEvents();
      TakeEnds();
    }
    while (!transfers_.empty()) Remove(transfers_.begin());
    for (CURL* easy : spare_) curl_easy_cleanup(easy);
    curl_multi_cleanup(multi_);
  }

  void SetUpMulti() {
    multi_ = curl_multi_init();
    curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &OnSocket);
    curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &OnTimer);
    curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
    curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, kMaxIdleConnections);
  }

  // Asked to end, and nobody has a last word under way.
  bool Stopped() {
    const std::lock_guard lock(mutex_);
    if (!stopping_) return false;
    if (!last_moment_) last_moment_ = Clock::now() + absl::ToChronoMilliseconds(kLastWordsTime);
    if (Clock::now() >= *last_moment_) return true;
    const auto is_last_word = [](const auto& it) { return it.second->is_last_word(); };
    return !std::any_of(transfers_.begin(), transfers_.end(), is_last_word) &&
           !std::any_of(orders_.begin(), orders_.end(),
                        [](const Order& order) { return order.request.is_last_word; });
  }

  void TakeOrders() {
    std::vector<Order> orders;
    bool stopping;
    {
      const std::lock_guard lock(mutex_);
      orders.swap(orders_);
      stopping = stopping_;
    }
    for (Order& order : orders) {
      if (order.what == Order::kStart) {
        if (!stopping || order.request.is_last_word) Begin(std::move(order));
        continue;
      }
      const auto it = transfers_.find(order.ticket);
      if (it == transfers_.end()) continue;
      if (order.what == Order::kCancel) {
        Remove(it);
      } else {
        curl_easy_pause(it->second->easy(), CURLPAUSE_CONT);
      }
    }
  }

  void Begin(Order order) {
    CURL* easy = nullptr;
    if (spare_.empty()) {
      easy = curl_easy_init();
    } else {
      easy = std::exchange(spare_.back(), nullptr);
      spare_.pop_back();
    }
    if (easy == nullptr) return order.sink->OnEnd({.how = "out of memory"});
    auto transfer = std::make_unique<HttpTransfer>(order.ticket, std::move(order.request),
                                                   std::move(order.sink), easy);
    transfer->SetUp();
    const CURLMcode code = curl_multi_add_handle(multi_, easy);
    const auto it = transfers_.emplace(order.ticket, std::move(transfer)).first;
    if (code == CURLM_OK) return;
    it->second->End(CURLE_FAILED_INIT);
    Remove(it);
  }

  void AwaitEvents() {
    epoll_event events[kMaxEvents];
    const int ready = ::epoll_wait(epoll_.get(), events, kMaxEvents, MillisecondsToWait());
    int running = 0;
    for (int i = 0; i < ready; ++i) {
      if (events[i].data.fd == wake_.get()) {
        uint64_t count;
        [[maybe_unused]] const ssize_t got = ::read(wake_.get(), &count, sizeof count);
        continue;
      }
      curl_multi_socket_action(multi_, events[i].data.fd, CurlEvents(events[i].events), &running);
    }
    if (timer_ && Clock::now() >= *timer_) {
      timer_.reset();
      curl_multi_socket_action(multi_, CURL_SOCKET_TIMEOUT, 0, &running);
    }
  }

  int MillisecondsToWait() const {
    Clock::time_point until = Clock::time_point::max();
    if (timer_) until = std::min(until, *timer_);
    if (last_moment_) until = std::min(until, *last_moment_);
    if (until == Clock::time_point::max()) return -1;
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    return static_cast<int>(std::clamp<int64_t>(wait.count(), 0, 60'000));
  }

  void TakeEnds() {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      void* transfer = nullptr;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
      const auto it = transfers_.find(static_cast<HttpTransfer*>(transfer)->ticket());
      it->second->End(message->data.result);
      Remove(it);
    }
  }

  using Transfers = std::map<Ticket, std::unique_ptr<HttpTransfer>>;
  void Remove(Transfers::iterator it) {
    CURL* easy = it->second->easy();
    curl_multi_remove_handle(multi_, easy);
    transfers_.erase(it);
    if (spare_.size() < kMaxSpareHandles) {
      spare_.push_back(easy);
    } else {
      curl_easy_cleanup(easy);
    }
  }

  static int OnSocket(CURL*, curl_socket_t socket, int what, void* self, void*) {
    const int epoll = static_cast<Impl*>(self)->epoll_.get();
    if (what == CURL_POLL_REMOVE) {
      ::epoll_ctl(epoll, EPOLL_CTL_DEL, socket, nullptr);
      return 0;
    }
    epoll_event event{.events = 0, .data = {.fd = socket}};
    if (what != CURL_POLL_OUT) event.events |= EPOLLIN;
    if (what != CURL_POLL_IN) event.events |= EPOLLOUT;
    const bool watched = ::epoll_ctl(epoll, EPOLL_CTL_MOD, socket, &event) == 0 ||
                         ::epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event) == 0;
    return watched ? 0 : -1;
  }

  static int OnTimer(CURLM*, long milliseconds, void* self) {
    auto& timer = static_cast<Impl*>(self)->timer_;
    timer.reset();
    if (milliseconds >= 0) timer = Clock::now() + std::chrono::milliseconds(milliseconds);
    return 0;
  }

  std::mutex mutex_;  // of the next five
  std::vector<Order> orders_;
  Ticket last_ticket_ = 0;
  bool stopping_ = false;
  std::thread thread_;
  base::Fd wake_, epoll_;  // set before the thread runs

  // The thread's.
  CURLM* multi_ = nullptr;
  std::optional<Clock::time_point> timer_;
  std::optional<Clock::time_point> last_moment_;
  Transfers transfers_;
  std::vector<CURL*> spare_;
};

HttpClient::HttpClient() : impl_(std::make_unique<Impl>()) {}
HttpClient::~HttpClient() = default;

HttpClient::Ticket HttpClient::Start(HttpRequest request, std::shared_ptr<HttpSink> sink) {
  return impl_->Start(std::move(request), std::move(sink));
}
void HttpClient::Cancel(Ticket ticket) { impl_->Tell(Impl::Order::kCancel, ticket); }
void HttpClient::Resume(Ticket ticket) { impl_->Tell(Impl::Order::kResume, ticket); }

}  // namespace tipstaff::upstream
