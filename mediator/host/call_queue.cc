#include "mediator/host/call_queue.h"

#include <algorithm>
#include <utility>

namespace tipstaff::host {
namespace {

// What is searched on the spot, in bytes looked through: less than a tenth of a millisecond, which
// is about what another thread and the way back take.
constexpr size_t kWorkOnTheSpot = 4 << 10;

}  // namespace

CallQueue::CallQueue(std::weak_ptr<const void> owner, std::shared_ptr<const policy::Grant> grant,
                     const run::Run& run, CanarySearches& searches, Inbox& inbox,
                     HandOver hand_over)
    : owner_(std::move(owner)),
      grant_(std::move(grant)),
      run_(run),
      searches_(searches),
      send_(inbox.Sender()),
      hand_over_(std::move(hand_over)) {}

CallQueue::~CallQueue() { GiveUp(); }

void CallQueue::Add(Incoming incoming, run::StreamId stream, Preview preview) {
  waiting_.push_back({std::move(incoming), stream, std::move(preview), std::nullopt});
  Go();
}

bool CallQueue::Cancel(run::StreamId stream) {
  const auto it = std::find_if(waiting_.begin(), waiting_.end(), [&](const Waiting& one) {
    return one.preview == nullptr && one.stream == stream;
  });
  if (it == waiting_.end()) return false;
  if (it == waiting_.begin()) GiveUp();
  waiting_.erase(it);
  Go();
  return true;
}

void CallQueue::RunChanged() {
  if (!searching() || NeedsSearch(waiting_.front())) return;
  GiveUp();
  Go();
}

void CallQueue::GiveUp() {
  if (searching()) *given_up_ = true;
  given_up_ = nullptr;
}

void CallQueue::Go() {
  if (std::exchange(going_, true)) return;
  while (!waiting_.empty() && !searching()) {
    Waiting& first = waiting_.front();
    if (!first.arrived.has_value()) {
      first.arrived = ReadCall(first.incoming, *grant_);
      first.arrived->stream = first.stream;
    }
    if (NeedsSearch(first) && !SearchOnTheSpot(*first.arrived)) {
      SearchElsewhere(first.arrived->call);
      break;
    }
    Waiting next = std::move(first);
    waiting_.pop_front();
    hand_over_(*std::move(next.arrived), std::move(next.preview));
  }
  going_ = false;
}

bool CallQueue::NeedsSearch(const Waiting& waiting) const {
  const run::CallArrived& arrived = *waiting.arrived;
  if (!arrived.malformed.empty() || arrived.searched.has_value()) return false;
  if (!grant_->SearchesCalls(arrived.call.tool)) return false;
  // Of one that is only asked about nothing came before.
  return waiting.preview == nullptr ? run_.Decides(arrived.call) : run_.Decides(call::Call());
}

bool CallQueue::SearchOnTheSpot(run::CallArrived& arrived) const {
  const call::Call& call = arrived.call;
  if (call.canonical.size() > kWorkOnTheSpot) return false;
  arrived.searched = grant_->canaries().SearchWithin(kWorkOnTheSpot, call.arguments.root());
  return arrived.searched.has_value();
}

void CallQueue::SearchElsewhere(const call::Call& call) {
  given_up_ = std::make_shared<std::atomic<bool>>(false);
  // When the answer is on this thread it is of the first call, unless the search was given up.
  searches_.Add(
      {grant_, call.arguments, call.canonical.size(), given_up_,
       [this, owner = owner_, send = send_, given_up = given_up_](policy::CanaryResult result) {
         send([this, owner, given_up, result = std::move(result)]() mutable {
           const std::shared_ptr<const void> alive = owner.lock();
           if (alive == nullptr || *given_up) return;
           given_up_ = nullptr;
           waiting_.front().arrived->searched = std::move(result);
           Go();
         });
       }});
}

}  // namespace tipstaff::host
