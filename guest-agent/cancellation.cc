#include "guest-agent/cancellation.h"

#include <utility>

namespace tipstaff::guest_agent {

void Cancellation::Cancel() {
  const std::lock_guard<std::mutex> lock(mutex_);
  cancelled_ = true;
  // Under the lock, so that what it interrupts is still there.
  if (interrupt_) interrupt_();
  wake_.notify_all();
}

bool Cancellation::cancelled() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return cancelled_;
}

bool Cancellation::Sleep(absl::Duration duration) {
  std::unique_lock<std::mutex> lock(mutex_);
  return !wake_.wait_for(lock, absl::ToChronoNanoseconds(duration), [this] { return cancelled_; });
}

Cancellation::Scope::Scope(Cancellation& cancellation, std::function<void()> interrupt)
    : cancellation_(cancellation) {
  const std::lock_guard<std::mutex> lock(cancellation_.mutex_);
  if (cancellation_.cancelled_) interrupt();
  cancellation_.interrupt_ = std::move(interrupt);
}

Cancellation::Scope::~Scope() {
  const std::lock_guard<std::mutex> lock(cancellation_.mutex_);
  cancellation_.interrupt_ = nullptr;
}

}  // namespace tipstaff::guest_agent
