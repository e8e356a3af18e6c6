#include "mediator/host/canary_searches.h"

#include <sys/resource.h>
#include <unistd.h>

#include <optional>
#include <utility>

namespace tipstaff::host {
namespace {

// Bytes looked through: a few milliseconds, less than a fifth of a second, and to the end.
constexpr size_t kLaneWork[] = {256 << 10, 8 << 20, policy::kMostCanaryWork};
// Arguments are looked through forward and backwards at least.
constexpr size_t kLeastReadings = 2;
constexpr int kNiceness = 10;

}  // namespace

CanarySearches::CanarySearches() {
  for (const size_t work : kLaneWork) lanes_.emplace_back(work);
  for (auto lane = lanes_.begin(); lane != lanes_.end(); ++lane) {
    lane->thread = std::thread([this, lane] { Work(lane); });
  }
}

CanarySearches::~CanarySearches() {
  {
    std::lock_guard lock(mutex_);
    ends_ = true;
    for (Lane& lane : lanes_) {
      if (lane.under_way != nullptr) *lane.under_way = true;
      lane.changed.notify_one();
    }
  }
  for (Lane& lane : lanes_) lane.thread.join();
}

void CanarySearches::Add(Search search) {
  auto lane = lanes_.begin();
  while (lane != std::prev(lanes_.end()) && lane->most_work < kLeastReadings * search.bytes) ++lane;
  AddTo(lane, std::move(search));
}

void CanarySearches::AddTo(std::deque<Lane>::iterator lane, Search search) {
  std::lock_guard lock(mutex_);
  lane->waiting.push_back(std::move(search));
  lane->changed.notify_one();
}

void CanarySearches::Work(std::deque<Lane>::iterator lane) {
  // Linux has a niceness for each thread. Without it the searches are only less out of the way.
  (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNiceness);
  std::unique_lock lock(mutex_);
  for (;;) {
    lane->changed.wait(lock, [&] { return ends_ || !lane->waiting.empty(); });
    if (ends_) return;
    Search search = std::move(lane->waiting.front());
    lane->waiting.pop_front();
    lane->under_way = search.given_up;
    lock.unlock();
    const std::optional<policy::CanaryResult> result = search.grant->canaries().SearchWithin(
        lane->most_work, search.arguments.root(), search.given_up.get());
    if (result.has_value()) {
      std::move(search.done)(*result);
    } else if (!*search.given_up) {
      AddTo(std::next(lane), std::move(search));  // the last one ends, or is given up
    }
    lock.lock();
    lane->under_way = nullptr;
  }
}

}  // namespace tipstaff::host
