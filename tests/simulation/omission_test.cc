// The simulator would notice: each rule that is left out is found.
#include "mediator/run/omission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulation/rules.h"
#include "tests/simulation/schedule.h"

namespace tipstaff::simulation {
namespace {

class Omissions : public ::testing::TestWithParam<NamedRule> {};

TEST_P(Omissions, AreFoundWithinAThousandSeeds) {
  const run::Omission omission(GetParam().rule);
  uint64_t seed = 1;
  while (seed <= 1000 && !PlaySchedule(seed).broken()) ++seed;
  ASSERT_LE(seed, 1000u) << "nothing notices that `" << GetParam().name << "` is left out";
  const Findings first = PlaySchedule(seed, true), again = PlaySchedule(seed, true);
  EXPECT_THAT(first.violation(), ::testing::HasSubstr(GetParam().breaks));
  EXPECT_EQ(first.violation(), again.violation());
  EXPECT_EQ(first.trace(), again.trace()) << "a failing seed replays exactly";
}

INSTANTIATE_TEST_SUITE_P(All, Omissions, ::testing::ValuesIn(kRules), [](const auto& info) {
  std::string name = info.param.name;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

TEST(Omissions, NothingIsLeftOutUnlessAsked) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    ASSERT_EQ(PlaySchedule(seed).violation(), "") << seed;
  }
}

}  // namespace
}  // namespace tipstaff::simulation
