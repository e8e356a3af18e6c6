// Calls of a run on their way to its state machine.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "mediator/call/call.h"
#include "mediator/host/canary_searches.h"
#include "mediator/host/inbox.h"
#include "mediator/host/incoming.h"
#include "mediator/run/run.h"

namespace tipstaff::host {

// Hands calls over in the order in which they came. One whose arguments take long to search for
// canaries is searched elsewhere first, and those behind it wait: a run has one search at a time.
// An id that came before needs none, so that a call that is repeated meanwhile is neither searched
// nor made twice. Nothing of a call that waits here is on record: where the mediator dies it never
// came. How many may wait is bounded where they come from. On the event loop's thread only.
class CallQueue {
 public:
  // What a call that is only asked about would be decided to be.
  using Preview = absl::AnyInvocable<void(absl::StatusOr<call::Decision>) &&>;
  struct Waiting {
    Incoming incoming;
    run::StreamId stream = 0;
    Preview preview;  // null for a call that is made
    // Once it is the first: what it takes up more memory as.
    std::optional<run::CallArrived> arrived;
  };
  using HandOver = std::function<void(run::CallArrived arrived, Preview preview)>;

  // `owner` is whom the queue is a part of, and `run`; it lives as long as something is handed
  // over. `searches` outlives the queue.
  CallQueue(std::weak_ptr<const void> owner, std::shared_ptr<const policy::Grant> grant,
            const run::Run& run, CanarySearches& searches, Inbox& inbox, HandOver hand_over);
  ~CallQueue();
  CallQueue(const CallQueue&) = delete;
  CallQueue& operator=(const CallQueue&) = delete;

  // May hand it over before it returns.
  void Add(Incoming incoming, run::StreamId stream, Preview preview = nullptr);
  // Whether the call waited here: it is gone then, as if it had not come.
  bool Cancel(run::StreamId stream);
  // After whatever may have closed or broken the run: nothing needs a search then.
  void RunChanged();

 private:
  void Go();
  bool NeedsSearch(const Waiting& waiting) const;
  bool SearchOnTheSpot(run::CallArrived& arrived) const;
  void SearchElsewhere(const call::Call& call);
  void GiveUp();
  bool searching() const { return given_up_ != nullptr; }

  const std::weak_ptr<const void> owner_;
  const std::shared_ptr<const policy::Grant> grant_;
  const run::Run& run_;
  CanarySearches& searches_;
  const std::function<void(Inbox::Work)> send_;
  const HandOver hand_over_;
  std::deque<Waiting> waiting_;
  std::shared_ptr<std::atomic<bool>> given_up_;  // of the search of the first one, if any
  bool going_ = false;
};

}  // namespace tipstaff::host
