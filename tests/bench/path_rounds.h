// What came of the arms of bench_path.
#pragma once

#include <string>
#include <vector>

#include "tests/bench/rounds.h"

namespace tipstaff::bench {

// A table with each arm's ratios to the first two (direct and relay).
std::string Table(const std::vector<ArmNumbers>& arms, int in_flight);
// What the Tipstaff arms, where there are any, should keep to: at one in flight a median of at most
// 1.5 x relay, at more at least 0.35 x the calls per second of direct.
std::string Targets(const std::vector<ArmNumbers>& arms, int in_flight);

}  // namespace tipstaff::bench
