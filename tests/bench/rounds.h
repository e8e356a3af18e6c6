// Measures arms in turns.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/bench/arm.h"

namespace tipstaff::bench {

// Medians over the rounds.
struct ArmNumbers {
  std::string name;
  double median_us = 0;
  double p99_us = 0;
  double calls_per_second = 0;
};

// `calls` of each arm in each round; all arms in each round, beginning with another one each time,
// so that a slow spell of the machine meets all alike. The first, shorter round is not counted.
absl::StatusOr<std::vector<ArmNumbers>> Measure(const std::vector<Arm>& arms, int rounds, int calls,
                                                int in_flight);

}  // namespace tipstaff::bench
