// What the benchmark makes of latencies.
#pragma once

#include <vector>

#include "absl/time/time.h"

namespace tipstaff::bench {

// The value below which `fraction` (0 to 1) of `values` lie: the nearest rank, so always one of
// them. Zero for none.
absl::Duration Quantile(std::vector<absl::Duration> values, double fraction);

// The middle one; of an even number the mean of the two in the middle. 0 for none.
double Median(std::vector<double> values);

}  // namespace tipstaff::bench
