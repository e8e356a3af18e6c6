#include "mediator/base/units.h"

#include <gtest/gtest.h>

namespace tipstaff::base {
namespace {

TEST(Units, ParsesDurations) {
  EXPECT_EQ(*ParseDuration("200ms"), absl::Milliseconds(200));
  EXPECT_EQ(*ParseDuration("1h30m"), absl::Minutes(90));
  EXPECT_EQ(*ParseDuration("7d"), absl::Hours(7 * 24));
  EXPECT_EQ(*ParseDuration("0s"), absl::ZeroDuration());
  for (const char* bad : {"", "5", "0", "-1s", "+1s", "inf", "1.5h", "1 h", "h", "s", "1x"}) {
    EXPECT_EQ(ParseDuration(bad).status().code(), absl::StatusCode::kInvalidArgument) << bad;
  }
}

TEST(Units, ParsesSizes) {
  EXPECT_EQ(*ParseBytes("0"), 0);
  EXPECT_EQ(*ParseBytes("64KiB"), 65536);
  EXPECT_EQ(*ParseBytes("2MiB"), 2 << 20);
  EXPECT_EQ(*ParseBytes("18446744073709551615"), UINT64_MAX);
  for (const char* bad :
       {"", "KiB", "-1", "1KB", "1.5MiB", "18446744073709551616", "18014398509481984KiB"}) {
    EXPECT_EQ(ParseBytes(bad).status().code(), absl::StatusCode::kInvalidArgument) << bad;
  }
}

TEST(Units, FormatsForPeople) {
  EXPECT_EQ(ShowBytes(12), "12 B");
  EXPECT_EQ(ShowBytes(1536), "1.5 KiB");
  EXPECT_EQ(ShowBytes(uint64_t{3} << 30), "3.0 GiB");
  EXPECT_EQ(ShowDuration(absl::Microseconds(350)), "350 us");
  EXPECT_EQ(ShowDuration(absl::Milliseconds(12)), "12 ms");
  EXPECT_EQ(ShowDuration(absl::Minutes(90)), "1h30m");
}

}  // namespace
}  // namespace tipstaff::base
