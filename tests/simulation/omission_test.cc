// The simulator would notice: each rule that is left out is found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/base/crash_point.h"
#include "tests/simulation/rules.h"
#include "tests/simulation/schedule.h"

namespace tipstaff::simulation {
namespace {

class Omissions : public ::testing::TestWithParam<Rule> {
 protected:
  ~Omissions() override { base::LeaveOut(""); }
};

TEST_P(Omissions, AreFoundWithinAThousandSeeds) {
  base::LeaveOut(GetParam().name);
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

}  // namespace
}  // namespace tipstaff::simulation
