#include "mediator/confine/view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tipstaff::confine {
namespace {

using ::testing::Contains;
using ::testing::Not;

TEST(ViewOptions, ShowsNothingOfTheHostButWhatProgramsNeed) {
  const std::vector<std::string> options = ViewOptions(false);
  for (const char* wanted : {"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts",
                             "--unshare-net", "--die-with-parent", "--new-session", "--clearenv"}) {
    EXPECT_THAT(options, Contains(wanted));
  }
  for (const char* place : {"/", "/etc", "/home", "/root", "/var", "/run", "/etc/resolv.conf"}) {
    EXPECT_THAT(options, Not(Contains(place)));
  }
  EXPECT_THAT(ViewOptions(true), Not(Contains("--unshare-net")));
  EXPECT_THAT(ViewOptions(true), Contains("/etc/resolv.conf"));
}

TEST(OptionBytes, EndsEachWithNul) {
  EXPECT_EQ(OptionBytes({"--dir", "", "/a"}), std::string("--dir\0\0/a\0", 10));
}

}  // namespace
}  // namespace tipstaff::confine
