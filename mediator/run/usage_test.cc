#include "mediator/run/usage.h"

#include <gtest/gtest.h>

namespace tipstaff::run {
namespace {

const absl::Time kStart = absl::FromUnixSeconds(1'777'000'000);

TEST(Usage, CountsForTheRunAndThePermission) {
  Usage usage(2, /*rate=*/false);
  usage.Allowed(1, 100, kStart);
  usage.Allowed(1, 50, kStart);
  usage.Allowed(-1, 7, kStart);
  usage.Settled(1, true, 30);
  usage.Settled(1, false, 5);
  EXPECT_EQ(usage.facts().run, (policy::Use{3, 1, 157, 35, 0}));
  EXPECT_EQ(usage.facts().by_permission[1], (policy::Use{2, 1, 150, 35, 0}));
  EXPECT_EQ(usage.facts().by_permission[0], policy::Use());
}

TEST(Usage, AMinuteEndsToTheMoment) {
  Usage usage(1, /*rate=*/true);
  usage.Allowed(0, 0, kStart);
  usage.Allowed(0, 0, kStart + absl::Seconds(30));
  usage.Advance(kStart + absl::Minutes(1) - absl::Microseconds(1));
  EXPECT_EQ(usage.facts().run.last_minute, 2u);
  usage.Advance(kStart + absl::Minutes(1));
  EXPECT_EQ(usage.facts().run.last_minute, 1u);
  EXPECT_EQ(usage.facts().by_permission[0].last_minute, 1u);
  usage.Advance(kStart + absl::Hours(1));
  EXPECT_EQ(usage.facts().run.last_minute, 0u);
  EXPECT_EQ(usage.facts().run.allowed, 2u);
}

}  // namespace
}  // namespace tipstaff::run
