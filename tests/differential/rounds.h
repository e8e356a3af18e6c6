// Many random runs, each with many calls.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/differential/coverage.h"

namespace tipstaff::differential {

struct Rounds {
  uint64_t seed = 1;
  uint64_t pairs = 20'000;
  int threads = 1;
  uint64_t first_run = 0;  // the number of the run to begin with
  uint64_t most_runs = ~uint64_t{0};
  size_t most_disagreements = 3;  // then it ends
};

struct Report {
  Coverage coverage;
  // Each made small, with the numbers that make it again.
  std::vector<std::string> disagreements;
};

Report RunAll(const Rounds& rounds);

}  // namespace tipstaff::differential
