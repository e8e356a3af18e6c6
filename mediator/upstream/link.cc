#include "mediator/upstream/link.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/status.h"
#include "mediator/upstream/limits.h"

namespace tipstaff::upstream {

// Handlers hold it weakly: what they would report nobody wants once the Link is gone.
class Link::Impl : public std::enable_shared_from_this<Impl> {
 public:
  Impl(boost::asio::io_context& loop, mcp::Wire wire, MakeTransport make, Listener listener,
       std::optional<mcp::Generation> expected)
      : loop_(loop),
        timer_(loop),
        session_(wire, {"tipstaff", TIPSTAFF_VERSION, ""}, expected),
        make_(std::move(make)),
        listener_(std::move(listener)) {}

  absl::Status Connect() {
    if (connected_) return absl::OkStatus();
    if (!unusable_.empty()) return absl::UnavailableError(unusable_);
    if (transport_ == nullptr) {
      TIPSTAFF_ASSIGN_OR_RETURN(transport_, make_(Events()));
    }
    if (absl::Status counted = CountStart(); !counted.ok()) return counted;
    TIPSTAFF_RETURN_IF_ERROR(transport_->Connect());
    connected_ = true;
    const absl::Time now = absl::Now();
    Do(started_ ? session_.OnConnected(now) : session_.Start(now));
    started_ = true;
    return absl::OkStatus();
  }

  uint64_t Request(mcp::ClientRequest request, Watcher watcher) {
    const absl::Status connected = Connect();
    if (!connected.ok()) {
      const uint64_t ticket = next_refused_--;
      refused_.emplace(ticket, std::move(watcher));
      Post([ticket, why = std::string(connected.message())](Impl& self) {
        auto node = self.refused_.extract(ticket);
        if (!node.empty()) {
          node.mapped().on_end({.result = "", .error = {}, .no_answer = End::NoAnswer{false, why}});
        }
      });
      return ticket;
    }
    uint64_t ticket = 0;
    mcp::ClientOutputs outputs = session_.Request(std::move(request), absl::Now(), ticket);
    watchers_.emplace(ticket, std::move(watcher));
    Later(std::move(outputs));
    return ticket;
  }

  void List(mcp::ListKind kind, OnListed on_listed) {
    const absl::Status connected = Connect();
    if (!connected.ok()) {
      Post([on_listed, why = std::string(connected.message())](Impl&) {
        mcp::Listed listed;
        listed.error = why;
        on_listed(listed);
      });
      return;
    }
    uint64_t ticket = 0;
    mcp::ClientOutputs outputs = session_.List(kind, absl::Now(), ticket);
    lists_.emplace(ticket, std::move(on_listed));
    Later(std::move(outputs));
  }

  void Cancel(uint64_t ticket, absl::string_view why) {
    if (refused_.erase(ticket) > 0) return;
    if (watchers_.erase(ticket) == 0) return;
    Later(session_.Cancel(ticket, why));
  }

  void Kill(const std::string& why, std::function<void()> gone) {
    if (!connected_) return gone();
    kills_.push_back(std::move(gone));
    transport_->Kill(why);
  }

  bool ready() const { return connected_ && session_.ready(); }
  const mcp::Peer& peer() const { return session_.peer(); }

  void End() {
    ended_ = true;
    timer_.cancel();
    transport_.reset();
  }

 private:
  Transport::Events Events() {
    const std::weak_ptr<Impl> weak = weak_from_this();
    return {
        .on_message =
            [weak](absl::string_view message, uint64_t request) {
              if (const auto self = weak.lock()) self->OnMessage(message, request);
            },
        .on_failure =
            [weak](uint64_t request, int status, const std::string& body, bool sent) {
              if (const auto self = weak.lock()) {
                self->Do(self->session_.OnHttpFailure(request, status, body, sent, absl::Now()));
              }
            },
        .on_response_end =
            [weak](uint64_t request) {
              if (const auto self = weak.lock()) self->OnResponseEnd(request);
            },
        .on_gone =
            [weak](const std::string& how) {
              if (const auto self = weak.lock()) self->OnGone(how);
            },
        .on_note =
            [weak](const std::string& note) {
              if (const auto self = weak.lock()) self->listener_.on_note(note);
            },
    };
  }

  void OnMessage(absl::string_view message, uint64_t request) {
    Do(session_.OnMessage(message, absl::Now(), request));
    // A response that was taken up again may be a stream that stays open.
    if (ended_ || session_.IsInFlight(request) || resumed_.erase(request) == 0) return;
    if (transport_ != nullptr) transport_->Forget(request);
  }

  void OnResponseEnd(uint64_t request) {
    if (transport_ != nullptr && session_.IsInFlight(request) && transport_->Resume(request)) {
      resumed_.insert(request);
      return;
    }
    resumed_.erase(request);
    Do(session_.OnResponseEnd(request, absl::Now()));
  }

  void OnGone(const std::string& how) {
    resumed_.clear();
    connected_ = false;
    const bool wanted = std::exchange(reconnecting_, false);
    Do(session_.OnGone(how, absl::Now()));
    for (auto& gone : std::exchange(kills_, {})) {
      if (!ended_) gone();
    }
    if (ended_ || !wanted || connected_) return;
    // It was ended to begin anew.
    if (const absl::Status status = Connect(); !status.ok()) {
      Do(session_.OnGone(status.message(), absl::Now()));
    }
  }

  // More than kMaxRestarts in kRestartTime: it does not stay alive.
  absl::Status CountStart() {
    const absl::Time now = absl::Now();
    while (!starts_.empty() && now - starts_.front() > kRestartTime) starts_.pop_front();
    if (starts_.size() > kMaxRestarts) {
      unusable_ = absl::StrCat("it ended by itself ", starts_.size(), " times within ",
                               absl::FormatDuration(kRestartTime));
      return absl::UnavailableError(unusable_);
    }
    starts_.push_back(now);
    return absl::OkStatus();
  }

  template <typename F>
  void Post(F work) {
    boost::asio::post(loop_, [weak = weak_from_this(), work = std::move(work)]() mutable {
      const std::shared_ptr<Impl> self = weak.lock();
      if (self != nullptr && !self->ended_) work(*self);
    });
  }

  // Messages go out now; whoever asks is told at a later turn.
  void Later(mcp::ClientOutputs outputs) {
    mcp::ClientOutputs rest;
    for (mcp::ClientOutput& output : outputs) {
      const bool sends = std::holds_alternative<mcp::SendRequest>(output) ||
                         std::holds_alternative<mcp::SendNotification>(output) ||
                         std::holds_alternative<mcp::ForgetRequest>(output);
      if (sends) {
        Do(std::move(output));
      } else {
        rest.push_back(std::move(output));
      }
    }
    SetTimer();
    if (rest.empty()) return;
    Post([rest = std::move(rest)](Impl& self) mutable { self.Do(std::move(rest)); });
  }

  void Do(mcp::ClientOutputs outputs) {
    for (mcp::ClientOutput& output : outputs) {
      if (ended_) return;
      Do(std::move(output));
    }
    if (!ended_) SetTimer();
  }

  void Do(mcp::ClientOutput output) {
    std::visit([this](auto& one) { Do(std::move(one)); }, output);
  }
  void Do(mcp::SendRequest request) {
    if (transport_ != nullptr) transport_->Send(request);
  }
  void Do(mcp::SendNotification notification) {
    if (transport_ != nullptr) transport_->Send(notification);
  }
  void Do(mcp::ForgetRequest forget) {
    if (transport_ != nullptr) transport_->Forget(forget.id);
  }
  void Do(mcp::Reconnect reconnect) {
    if (connected_) {
      reconnecting_ = true;
      return transport_->Kill(reconnect.why);
    }
    Post([](Impl& self) {
      if (self.connected_) return;
      if (const absl::Status status = self.Connect(); !status.ok()) {
        self.Do(self.session_.OnGone(status.message(), absl::Now()));
      }
    });
  }
  void Do(const mcp::Ready&) { listener_.on_ready(); }
  void Do(mcp::Answered answered) {
    Finish(answered.ticket, {std::move(answered.result), std::move(answered.error), std::nullopt});
  }
  void Do(mcp::Unanswered unanswered) {
    // A list that is lost comes so, too.
    if (auto node = lists_.extract(unanswered.ticket); !node.empty()) {
      mcp::Listed listed;
      listed.error = std::move(unanswered.why);
      return node.mapped()(listed);
    }
    Finish(unanswered.ticket,
           {"", std::nullopt, End::NoAnswer{unanswered.sent, std::move(unanswered.why)}});
  }
  void Finish(uint64_t ticket, struct End end) {
    auto node = watchers_.extract(ticket);
    if (!node.empty()) node.mapped().on_end(std::move(end));
  }
  void Do(const mcp::Progressed& progress) {
    const auto it = watchers_.find(progress.ticket);
    if (it == watchers_.end() || !it->second.on_progress) return;
    const auto report = it->second.on_progress;  // which may end the request
    report(progress);
  }
  void Do(const mcp::Logged& logged) {
    // Over stdio nobody knows which request it belongs to: the oldest that wants any gets it.
    const auto it = logged.ticket != 0
                        ? watchers_.find(logged.ticket)
                        : std::find_if(watchers_.begin(), watchers_.end(), [](const auto& entry) {
                            return entry.second.on_log != nullptr;
                          });
    if (it == watchers_.end() || !it->second.on_log) return;
    const auto report = it->second.on_log;
    report(logged.params);
  }
  void Do(const mcp::ListChanged& changed) { listener_.on_list_changed(changed.kind); }
  void Do(const mcp::ResourceUpdated& updated) { listener_.on_resource_updated(updated.uri); }
  void Do(const mcp::Listed& listed) {
    auto node = lists_.extract(listed.ticket);
    if (!node.empty()) node.mapped()(listed);
  }
  void Do(const mcp::PeerNote& note) { listener_.on_note(note.text); }
  void Do(const mcp::Unusable& unusable) { unusable_ = unusable.why; }

  void SetTimer() {
    const std::optional<absl::Time> deadline = session_.deadline();
    if (deadline == armed_) return;
    armed_ = deadline;
    timer_.cancel();
    if (!deadline) return;
    timer_.expires_after(absl::ToChronoNanoseconds(
        std::max(*deadline - absl::Now(), absl::ZeroDuration()) + absl::Milliseconds(1)));
    timer_.async_wait([weak = weak_from_this()](boost::system::error_code error) {
      const std::shared_ptr<Impl> self = weak.lock();
      if (error || self == nullptr || self->ended_) return;
      self->armed_ = std::nullopt;
      self->Do(self->session_.OnTime(absl::Now()));
    });
  }

  boost::asio::io_context& loop_;
  boost::asio::steady_timer timer_;
  std::optional<absl::Time> armed_;
  mcp::ClientSession session_;
  const MakeTransport make_;
  const Listener listener_;
  std::unique_ptr<Transport> transport_;
  std::set<uint64_t> resumed_;  // requests whose responses were taken up again
  std::map<uint64_t, Watcher> watchers_;
  std::map<uint64_t, OnListed> lists_;
  std::map<uint64_t, Watcher> refused_;
  uint64_t next_refused_ = ~uint64_t{0};  // tickets that the session never gives
  std::vector<std::function<void()>> kills_;
  std::deque<absl::Time> starts_;
  std::string unusable_;
  bool started_ = false;
  bool connected_ = false;
  bool reconnecting_ = false;
  bool ended_ = false;
};

Link::Link(boost::asio::io_context& loop, mcp::Wire wire, MakeTransport make, Listener listener,
           std::optional<mcp::Generation> expected)
    : impl_(std::make_shared<Impl>(loop, wire, std::move(make), std::move(listener), expected)) {}

Link::~Link() { impl_->End(); }

absl::Status Link::Connect() { return impl_->Connect(); }
uint64_t Link::Request(mcp::ClientRequest request, Watcher watcher) {
  return impl_->Request(std::move(request), std::move(watcher));
}
void Link::List(mcp::ListKind kind, OnListed on_listed) { impl_->List(kind, std::move(on_listed)); }
void Link::Cancel(uint64_t ticket, absl::string_view why) { impl_->Cancel(ticket, why); }
void Link::Kill(const std::string& why, std::function<void()> gone) {
  impl_->Kill(why, std::move(gone));
}
bool Link::ready() const { return impl_->ready(); }
const mcp::Peer& Link::peer() const { return impl_->peer(); }

}  // namespace tipstaff::upstream
