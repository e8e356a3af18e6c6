#include "mediator/base/ids.h"

#include <gtest/gtest.h>

#include "mediator/base/clock.h"
#include "mediator/base/digest.h"

namespace tipstaff::base {
namespace {

TEST(Ids, RunIdsAreWellFormedAndDiffer) {
  const std::string one = NewRunId();
  EXPECT_TRUE(IsRunId(one)) << one;
  EXPECT_NE(one, NewRunId());
  for (const char* bad :
       {"", "run_", "run_abc", "run_ABCDEFGHIJKL", "run_abcdefghijkl/", "abcdefghijkl"}) {
    EXPECT_FALSE(IsRunId(bad)) << bad;
  }
}

TEST(Digest, IsUnkeyedBlake2b256) {
  // From RFC 7693's reference code: BLAKE2b-256 of the empty string.
  const Digest empty = DigestOf("");
  EXPECT_EQ(ToHex(empty), "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
  EXPECT_EQ(DigestFromHex(ToHex(empty)), empty);
  EXPECT_FALSE(DigestFromHex("0E").has_value());
  EXPECT_FALSE(DigestFromHex(std::string(64, 'G')).has_value());
}

TEST(Clock, AdvancingClockNeverRunsBack) {
  FakeClock wall(absl::FromUnixSeconds(1000));
  AdvancingClock clock(wall);
  EXPECT_EQ(clock.Now(), absl::FromUnixSeconds(1000));
  clock.AtLeast(absl::FromUnixSeconds(2000));
  EXPECT_EQ(clock.Now(), absl::FromUnixSeconds(2000));
  wall.Set(absl::FromUnixSeconds(3000));
  EXPECT_EQ(clock.Now(), absl::FromUnixSeconds(3000));
  wall.Set(absl::FromUnixSeconds(1));
  EXPECT_EQ(clock.Now(), absl::FromUnixSeconds(3000));
}

TEST(Clock, FormatsAndParsesTimes) {
  const absl::Time time = *ParseTime("2026-05-01T09:00:00Z");
  EXPECT_EQ(ShowTime(time), "2026-05-01T09:00:00.000Z");
  EXPECT_FALSE(ParseTime("yesterday").ok());
}

}  // namespace
}  // namespace tipstaff::base
