// Stops work that blocks, from another thread.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>

#include "absl/time/time.h"

namespace tipstaff::guest_agent {

// Thread-safe. Once cancelled it stays so.
class Cancellation {
 public:
  // Interrupts what is under way and every later wait.
  void Cancel();
  bool cancelled() const;
  // Waits; false when it was cut short.
  bool Sleep(absl::Duration duration);

  // Calls `interrupt` on Cancel for as long as this lives (at once when it already is cancelled).
  // One at a time. `interrupt` must not block and must not use the Cancellation.
  class Scope {
   public:
    Scope(Cancellation& cancellation, std::function<void()> interrupt);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Cancellation& cancellation_;
  };

 private:
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool cancelled_ = false;
  std::function<void()> interrupt_;
};

}  // namespace tipstaff::guest_agent
