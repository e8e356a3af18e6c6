// Time as the program sees it. Everything that asks for the time takes a Clock, so that tests,
// replay and the simulator give it one of their own.
#pragma once

#include <atomic>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace tipstaff::base {

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  // Wall time, truncated to microseconds (the resolution that records keep).
  virtual absl::Time Now() const = 0;
};

class SystemClock final : public Clock {
 public:
  absl::Time Now() const override;
};

// Stands still until told otherwise.
class FakeClock final : public Clock {
 public:
  explicit FakeClock(absl::Time start) : micros_(absl::ToUnixMicros(start)) {}
  absl::Time Now() const override { return absl::FromUnixMicros(micros_.load()); }
  void Set(absl::Time time) { micros_.store(absl::ToUnixMicros(time)); }
  void Advance(absl::Duration by) { micros_.fetch_add(absl::ToInt64Microseconds(by)); }

 private:
  std::atomic<int64_t> micros_;
};

// Never runs backwards: the larger of another clock and the newest time it has seen, so that
// setting the machine's clock back gains nothing (limits and expiry use this one).
class AdvancingClock final : public Clock {
 public:
  // `clock` must outlive this.
  explicit AdvancingClock(const Clock& clock) : clock_(clock) {}
  absl::Time Now() const override;
  // Raises the floor, for instance to the newest time in the ledger.
  void AtLeast(absl::Time time);

 private:
  const Clock& clock_;
  mutable std::atomic<int64_t> floor_micros_{0};
};

// RFC 3339 in UTC with milliseconds, for people: "2026-05-01T09:00:00.000Z".
std::string ShowTime(absl::Time time);
// Any RFC 3339 time.
absl::StatusOr<absl::Time> ParseTime(absl::string_view text);

}  // namespace tipstaff::base
