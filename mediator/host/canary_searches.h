// Searches of calls' arguments for canaries, which may take seconds, on threads of their own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "absl/functional/any_invocable.h"
#include "mediator/json/document.h"
#include "mediator/policy/canary.h"
#include "mediator/policy/grant.h"

namespace tipstaff::host {

// A search goes through lanes of one thread each: what takes longer than a lane allows begins again
// in the next one, and so does not keep short ones waiting. A lane takes searches in the order in
// which they come: who has one here at a time, as a run does, has fair turns. The threads have a
// low priority: calls that take no search come first. Thread-safe.
class CanarySearches {
 public:
  struct Search {
    std::shared_ptr<const policy::Grant> grant;  // whose canaries
    json::Document arguments;
    size_t bytes = 0;  // of them, about
    // Set by whoever needs no answer any more; a search that is under way ends soon then.
    std::shared_ptr<std::atomic<bool>> given_up;
    // Called on one of the threads, unless it was given up before.
    absl::AnyInvocable<void(policy::CanaryResult) &&> done;
  };

  CanarySearches();
  // Gives up whatever is not done.
  ~CanarySearches();
  CanarySearches(const CanarySearches&) = delete;
  CanarySearches& operator=(const CanarySearches&) = delete;

  void Add(Search search);

 private:
  struct Lane {
    explicit Lane(size_t most) : most_work(most) {}
    const size_t most_work;
    std::deque<Search> waiting;
    std::shared_ptr<std::atomic<bool>> under_way;  // its `given_up`
    std::condition_variable changed;
    std::thread thread;
  };

  void AddTo(std::deque<Lane>::iterator lane, Search search);
  void Work(std::deque<Lane>::iterator lane);

  std::mutex mutex_;
  bool ends_ = false;
  std::deque<Lane> lanes_;
};

}  // namespace tipstaff::host
