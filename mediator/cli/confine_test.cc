#include "mediator/cli/confine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "absl/strings/str_split.h"
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

std::vector<std::string> OptionsOf(const absl::StatusOr<Command>& command) {
  return absl::StrSplit(command->third_descriptor.value_or(""), '\0');
}

TEST(Confined, GivesNoMoreThanWhatIsNamed) {
  const auto command = Confined({"/r/guest.sock", "/r/token", "/b/tipstaff-guest", "/w", false},
                                {"sh", "-c", "true"});
  ASSERT_TRUE(command.ok()) << command.status();
  const std::vector<std::string> options = OptionsOf(command);
  EXPECT_THAT(options, Contains("--unshare-net"));
  EXPECT_THAT(options, Contains("--clearenv"));
  EXPECT_THAT(options, Contains("/r/token"));
  EXPECT_THAT(options, Not(Contains("/")));
  EXPECT_THAT(options, Not(Contains("/etc")));
  EXPECT_THAT(options, Not(Contains("/home")));
  EXPECT_EQ(command->arguments.back(), "true");
  EXPECT_THAT(command->arguments, Not(Contains("/r/token"))) << "no place of the host is shown";
  const auto open = Confined({"/r/s", "/r/t", "/b/g", "/w", true}, {"x"});
  EXPECT_THAT(OptionsOf(open), Not(Contains("--unshare-net")));
}

}  // namespace
}  // namespace tipstaff::cli
