#include "tests/bench/statistics.h"

#include <gtest/gtest.h>

namespace tipstaff::bench {
namespace {

TEST(PathStatistics, QuantileIsTheNearestRank) {
  std::vector<absl::Duration> values;
  for (int i = 100; i >= 1; --i) values.push_back(absl::Microseconds(i));
  EXPECT_EQ(Quantile(values, 0.5), absl::Microseconds(50));
  EXPECT_EQ(Quantile(values, 0.99), absl::Microseconds(99));
  EXPECT_EQ(Quantile(values, 1), absl::Microseconds(100));
  EXPECT_EQ(Quantile(values, 0), absl::Microseconds(1));
  EXPECT_EQ(Quantile({absl::Seconds(7)}, 0.99), absl::Seconds(7));
  EXPECT_EQ(Quantile({}, 0.5), absl::ZeroDuration());
}

TEST(PathStatistics, MedianOfOddEvenAndNone) {
  EXPECT_EQ(Median({9, 1, 5}), 5);
  EXPECT_EQ(Median({9, 1, 5, 6}), 5.5);
  EXPECT_EQ(Median({}), 0);
}

}  // namespace
}  // namespace tipstaff::bench
