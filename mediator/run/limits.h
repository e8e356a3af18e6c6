// Limits and times of the run's state machine.
#pragma once

#include <cstdint>

#include "absl/time/time.h"

namespace tipstaff::run {

// How long sealing waits for writes in flight before it stops what can be stopped.
inline constexpr absl::Duration kSealDeadline = absl::Seconds(30);
// How long it waits then for stops to be confirmed and queries answered, before it holds the
// result.
inline constexpr absl::Duration kStopTime = absl::Seconds(10);
// How long a run that is closed waits for calls in flight before their outcome is unknown.
inline constexpr absl::Duration kCloseTime = absl::Seconds(10);
// A result whose fate is unknown is delivered again so often at most, to a receiver with a key...
inline constexpr int kMaxRedeliveries = 3;
// ...after such a pause, which is also the time that the receiver has to answer.
inline constexpr absl::Duration kRedeliveryPause = absl::Seconds(30);
// What closing a run may take of its budget. What is in flight at that moment may bring its results
// beyond it.
inline constexpr uint64_t kRoomToClose = 64 << 10;
// What a record takes beside its body and payload, about: columns, an entry in the index.
inline constexpr uint64_t kBytesOfARecord = 128;
// A run that was refused so often for a limit is revoked.
inline constexpr int kMaxLimitRefusals = 1000;
// So many calls of a run may wait for a person.
inline constexpr int kMaxHeldCalls = 100;
// What is kept in memory of the arguments of each; the record has all.
inline constexpr size_t kShownOfHeld = 1024;
// A run's time when its opener gives none.
inline constexpr absl::Duration kDefaultTimeLimit = absl::Hours(1);

}  // namespace tipstaff::run
