// An amount that all RPCs share: their number, queued bytes.
#pragma once

#include <atomic>
#include <cstddef>

namespace tipstaff::gate {

// Thread-safe.
class Budget {
 public:
  explicit Budget(size_t limit) : limit_(limit) {}

  // True and `amount` is taken, or false and nothing is.
  bool Take(size_t amount) {
    size_t used = used_.load();
    do {
      if (amount > limit_ - used) return false;
    } while (!used_.compare_exchange_weak(used, used + amount));
    return true;
  }
  void Give(size_t amount) { used_ -= amount; }
  size_t used() const { return used_; }

 private:
  const size_t limit_;
  std::atomic<size_t> used_{0};
};

}  // namespace tipstaff::gate
