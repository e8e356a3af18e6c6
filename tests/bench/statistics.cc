#include "tests/bench/statistics.h"

#include <algorithm>
#include <cmath>

namespace tipstaff::bench {

absl::Duration Quantile(std::vector<absl::Duration> values, double fraction) {
  if (values.empty()) return absl::ZeroDuration();
  const double rank = std::ceil(fraction * static_cast<double>(values.size()));
  const size_t index = std::min(values.size() - 1, static_cast<size_t>(std::max(rank - 1, 0.0)));
  std::nth_element(values.begin(), values.begin() + index, values.end());
  return values[index];
}

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  if (values.size() % 2 == 1) return values[middle];
  return (values[middle - 1] + values[middle]) / 2;
}

}  // namespace tipstaff::bench
