// When to try again, and when to give up. Pure.
#pragma once

#include <optional>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace tipstaff::guest_agent {

// How long failures in a row are put up with.
inline constexpr absl::Duration kCallPatience = absl::Seconds(30);
inline constexpr absl::Duration kListPatience = absl::Seconds(10);

// Whether the same request, repeated, may fare better. A call is repeated under its call id, which
// the mediator never acts on twice, so repeating is safe whatever became of the first try.
bool IsWorthAnotherTry(const absl::Status& status);

class Retry {
 public:
  explicit Retry(absl::Duration patience) : patience_(patience) {}

  // After a try that failed with `status` at `now`: how long to wait before the next one, or
  // nothing to give up. `went_well` says that the try got somewhere before it failed (the mediator
  // answered something, or worked on it for long), so that the failures before it do not count.
  std::optional<absl::Duration> After(const absl::Status& status, bool went_well, absl::Time now);

 private:
  absl::Duration patience_;
  std::optional<absl::Time> failing_since_;
  int failures_ = 0;          // in a row
  int refused_sessions_ = 0;  // UNAUTHENTICATED in a row
};

}  // namespace tipstaff::guest_agent
