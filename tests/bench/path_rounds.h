// Measures arms in turns and says what came of it.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tests/bench/path_arms.h"
#include "tests/bench/path_options.h"

namespace tipstaff::bench {

// Medians over the rounds.
struct ArmNumbers {
  std::string name;
  double median_us = 0;
  double p99_us = 0;
  double calls_per_second = 0;
};

// All arms in each round, beginning with another one each time, so that a slow spell of the machine
// meets all alike. The first, shorter round is not counted.
absl::StatusOr<std::vector<ArmNumbers>> Measure(const std::vector<Arm>& arms,
                                                const PathOptions& options, int in_flight);

// A table with each arm's ratios to the first two (direct and relay).
std::string Table(const std::vector<ArmNumbers>& arms, int in_flight);
// What the Tipstaff arms, where there are any, should keep to: at one in flight a median of at most
// 1.5 x relay, at more at least 0.35 x the calls per second of direct.
std::string Targets(const std::vector<ArmNumbers>& arms, int in_flight);

}  // namespace tipstaff::bench
