// What is measured, and what came of one round of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace tipstaff::bench {

struct LoadResult {
  std::vector<absl::Duration> latencies;  // from the request to its answer, in order of ending
  absl::Duration wall;
};

struct Arm {
  std::string name;
  // Makes so many calls, so many in flight.
  std::function<absl::StatusOr<LoadResult>(int calls, int in_flight)> run;
};

}  // namespace tipstaff::bench
