// A run's promises under random schedules and crashes: guests, disk, backends, the receiver, an
// operator and the clock take turns in whatever order a seed draws. The state machine is the real
// one. What was sent outside may act at any later time; answers, stops and queries may be late,
// come in any order, or never; guests repeat and cancel calls; the disk loses what was not synced;
// and the process may be gone between any two steps. Deterministic: a seed is one schedule.
#pragma once

#include <cstdint>

#include "tests/simulation/findings.h"

namespace tipstaff::simulation {

Findings PlaySchedule(uint64_t seed, bool keeps_trace = false);

}  // namespace tipstaff::simulation
