// Limits and times of backends outside the process.
#pragma once

#include <cstddef>

#include "absl/time/time.h"

namespace tipstaff::backend {

// Of one line that a system says, its end included; a longer one ends it.
inline constexpr size_t kMaxLineBytes = 1 << 20;
// What waits for a system that does not read; beyond that calls fail before they are sent.
inline constexpr size_t kMaxUnsentBytes = 4 << 20;
// How long processes that were killed may take to be gone, where that is waited for.
inline constexpr absl::Duration kGoneTime = absl::Seconds(5);
// Of what a system says of itself, for the operator.
inline constexpr size_t kMaxSystemNoteBytes = 1024;

}  // namespace tipstaff::backend
