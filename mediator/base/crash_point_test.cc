#include "mediator/base/crash_point.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdio>
#include <cstdlib>

namespace tipstaff::base {
namespace {

#if TIPSTAFF_CRASH_POINTS

void PassTwice(const char* name) {
  static const auto* point = new CrashPoint(name);
  point->Pass();
  std::fputs("once ", stderr);
  point->Pass();
  std::fputs("twice", stderr);
  std::exit(7);
}

void At(const char* point) { ::setenv("TIPSTAFF_CRASH_AT", point, 1); }

TEST(CrashPointDeathTest, EndsTheProcessWhereItIsAskedFor) {
  EXPECT_EXIT((At("test: a step"), PassTwice("test: a step")), ::testing::KilledBySignal(SIGKILL),
              "^$");
  EXPECT_EXIT((At("test: a step*2"), PassTwice("test: a step")), ::testing::KilledBySignal(SIGKILL),
              "^once $");
}

TEST(CrashPointDeathTest, PassesOtherwise) {
  for (const char* point : {"", "test: a", "test: a step*3", "test: another"}) {
    EXPECT_EXIT((At(point), PassTwice("test: a step")), ::testing::ExitedWithCode(7), "once twice")
        << point;
  }
}

TEST(CrashPointDeathTest, LeavesOutTheRuleThatIsNamed) {
  EXPECT_EXIT((::setenv("TIPSTAFF_LEAVE_OUT", "one", 1),
               std::exit(IsLeftOut("one") && !IsLeftOut("two") ? 7 : 8)),
              ::testing::ExitedWithCode(7), "");
}

#else

// Nothing of it is in a build for users.
TEST(CrashPoint, IsNothing) {
  ::setenv("TIPSTAFF_CRASH_AT", "test: a step", 1);
  ::setenv("TIPSTAFF_LEAVE_OUT", "one", 1);
  CrashPoint("test: a step").Pass();
  EXPECT_FALSE(IsLeftOut("one"));
  EXPECT_FALSE(ListCrashPoints());
}

#endif

}  // namespace
}  // namespace tipstaff::base
