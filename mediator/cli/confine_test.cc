#include "mediator/cli/confine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"

namespace tipstaff::cli {
namespace {

using ::testing::Contains;
using ::testing::Not;

TEST(CheckWorkFolder, RefusesAFolderThatWouldShowASecret) {
  base::TempFolder folder;
  std::filesystem::create_directories(folder.Path("state/keys"));
  std::filesystem::create_directories(folder.Path("work"));
  ASSERT_TRUE(base::WriteFile(folder.Path("state/l.db"), "").ok());
  const std::vector<std::string> secrets = {folder.Path("state/l.db"), folder.Path("state/keys")};
  EXPECT_TRUE(CheckWorkFolder(folder.Path("work"), secrets).ok());
  EXPECT_TRUE(CheckWorkFolder(folder.Path("state/keys/../../work"), secrets).ok());
  for (const char* bad : {"state", ".", "state/keys"}) {
    EXPECT_EQ(CheckWorkFolder(folder.Path(bad), secrets).code(),
              absl::StatusCode::kFailedPrecondition)
        << bad;
  }
  std::filesystem::create_symlink(folder.Path("state"), folder.Path("link"));
  EXPECT_FALSE(CheckWorkFolder(folder.Path("link"), secrets).ok()) << "links are resolved";
  EXPECT_EQ(CheckWorkFolder(folder.Path("absent"), secrets).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ConfinedCommand, GivesNoMoreThanWhatIsNamed) {
  const auto args = ConfinedCommand({"/r/guest.sock", "/r/token", "/b/tipstaff-guest", "/w", false},
                                    {"sh", "-c", "true"});
  ASSERT_TRUE(args.ok()) << args.status();
  EXPECT_THAT(*args, Contains("--unshare-net"));
  EXPECT_THAT(*args, Contains("--clearenv"));
  EXPECT_THAT(*args, Not(Contains("/")));
  EXPECT_THAT(*args, Not(Contains("/etc")));
  EXPECT_THAT(*args, Not(Contains("/home")));
  EXPECT_EQ(args->back(), "true");
  const auto open = ConfinedCommand({"/r/s", "/r/t", "/b/g", "/w", true}, {"x"});
  EXPECT_THAT(*open, Not(Contains("--unshare-net")));
}

}  // namespace
}  // namespace tipstaff::cli
