// Limits and times of the run's state machine.
#pragma once

#include "absl/time/time.h"

namespace tipstaff::run {

// How long sealing waits for writes in flight before it stops what can be stopped.
inline constexpr absl::Duration kSealDeadline = absl::Seconds(30);
// A run's time when its opener gives none.
inline constexpr absl::Duration kDefaultTimeLimit = absl::Hours(1);

}  // namespace tipstaff::run
