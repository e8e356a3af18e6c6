// A short form of `./dev sim`.
#include <gtest/gtest.h>

#include "absl/strings/str_join.h"
#include "tests/simulation/schedule.h"

namespace tipstaff::simulation {
namespace {

TEST(Simulation, KeepsEveryPromise) {
  std::map<std::string, int> seen;
  for (uint64_t seed = 1; seed <= 10'000; ++seed) {
    const Findings findings = PlaySchedule(seed);
    ASSERT_EQ(findings.violation(), "") << "seed " << seed << ": ./dev sim --seed " << seed;
    for (const auto& [what, times] : findings.seen()) seen[what] += times;
  }
  // The seeds are of use only if they come to what the promises are about.
  for (const char* what :
       {"sealing", "submitting", "accepted", "held", "unknown", "refused", "redelivered",
        "answered from the record", "crash after a final refusal"}) {
    EXPECT_GT(seen[what], 10) << "no schedule comes to `" << what << "`";
  }
}

TEST(Simulation, ASeedIsOneSchedule) {
  size_t lines = 0;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    const Findings once = PlaySchedule(seed, true), again = PlaySchedule(seed, true);
    lines += once.trace().size();
    EXPECT_EQ(absl::StrJoin(once.trace(), "\n"), absl::StrJoin(again.trace(), "\n"));
  }
  EXPECT_GT(lines, 1000u);
}

}  // namespace
}  // namespace tipstaff::simulation
