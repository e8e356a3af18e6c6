#include "mediator/upstream/stdio_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"

namespace tipstaff::upstream {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class StdioViewTest : public ::testing::Test {
 protected:
  StdioViewTest() {
    for (const char* name : {"data", "state", "scratch"}) fs::create_directory(folder_.Path(name));
    EXPECT_TRUE(base::WriteFile(folder_.Path("state/keys"), "k").ok());
    options_.command = {"server"};
    options_.scratch = folder_.Path("scratch");
    options_.hidden = {folder_.Path("state/keys"), folder_.Path("state/absent.db")};
  }
  absl::Status Refusal() const { return ViewOf(options_, {5, 6}).status(); }

  base::TempFolder folder_;
  StdioOptions options_;
};

TEST_F(StdioViewTest, ShowsWhatIsNamedAtItsOwnPlace) {
  options_.read = {folder_.Path("data/")};
  const auto view = ViewOf(options_, {5, 6});
  ASSERT_TRUE(view.ok()) << view.status();
  EXPECT_THAT(*view, Contains(folder_.Path("data"))) << "without the slash";
  EXPECT_THAT(*view, Contains("--unshare-net"));
  EXPECT_THAT(*view, Not(Contains(folder_.Path("state"))));
  options_.network = true;
  EXPECT_THAT(*ViewOf(options_, {5, 6}), Not(Contains("--unshare-net")));
}

TEST_F(StdioViewTest, RefusesWhatWouldShowAHiddenPlace) {
  fs::create_symlink(folder_.Path("state"), folder_.Path("link"));
  fs::create_directory(folder_.Path("state/absent.db"));
  fs::create_directory(folder_.Path("state/absent.db/inner"));
  const struct {
    const char* folder;
    const char* why;
  } kRows[] = {
      {"", "a folder above"},
      {"state", "the folder itself"},
      {"data/../state", "by way of another"},
      {"link", "links are resolved"},
      {"state/absent.db/inner", "a part of a hidden folder"},
  };
  for (const auto& row : kRows) {
    options_.read = {folder_.Path("data"), folder_.Path(row.folder)};
    const absl::Status status = Refusal();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << row.why;
    EXPECT_THAT(std::string(status.message()), HasSubstr(folder_.Path("state"))) << row.why;
  }
  options_.read = {folder_.Path("data")};
  EXPECT_TRUE(Refusal().ok()) << Refusal();
  options_.hidden.push_back("/usr/share/keys");
  EXPECT_EQ(Refusal().code(), absl::StatusCode::kFailedPrecondition) << "all see /usr";
  options_.hidden = {folder_.Path("scratch/guest.sock")};
  EXPECT_EQ(Refusal().code(), absl::StatusCode::kFailedPrecondition) << "in the scratch folder";
}

TEST_F(StdioViewTest, RefusesFoldersThatAreNone) {
  fs::create_symlink("/proc", folder_.Path("processes"));
  const struct {
    std::string folder;
    absl::StatusCode code;
  } kRows[] = {
      {"/", absl::StatusCode::kInvalidArgument},
      {"/proc", absl::StatusCode::kInvalidArgument},
      {"/proc/1/root", absl::StatusCode::kInvalidArgument},
      {"/dev", absl::StatusCode::kInvalidArgument},
      {folder_.Path("processes"), absl::StatusCode::kInvalidArgument},
      {"data", absl::StatusCode::kInvalidArgument},
      {folder_.Path("none"), absl::StatusCode::kNotFound},
  };
  options_.hidden.clear();
  for (const auto& row : kRows) {
    options_.read = {row.folder};
    EXPECT_EQ(Refusal().code(), row.code) << row.folder << ": " << Refusal();
  }
}

TEST_F(StdioViewTest, RefusesACommandOrEnvironmentThatIsNone) {
  options_.command = {};
  EXPECT_EQ(CheckStdioOptions(options_).code(), absl::StatusCode::kInvalidArgument);
  options_.command = {std::string("a\0b", 3)};
  EXPECT_EQ(CheckStdioOptions(options_).code(), absl::StatusCode::kInvalidArgument);
  options_.command = {"server"};
  for (const char* name : {"", "A=B", "1A", "A B"}) {
    options_.environment = {{name, "x"}};
    EXPECT_EQ(CheckStdioOptions(options_).code(), absl::StatusCode::kInvalidArgument) << name;
  }
  options_.environment = {{"TOKEN", std::string("hush\0hush", 9)}};
  EXPECT_THAT(std::string(CheckStdioOptions(options_).message()),
              ::testing::AllOf(HasSubstr("`TOKEN`"), Not(HasSubstr("hush"))));
}

TEST_F(StdioViewTest, HasAnEnvironmentOfItsOwn) {
  options_.environment = {{"LANG", "de_DE.UTF-8"}, {"TOKEN", "x"}};
  EXPECT_THAT(EnvironmentOf(options_), ElementsAre("HOME=/run/tipstaff/scratch", "LANG=de_DE.UTF-8",
                                                   "PATH=/usr/local/bin:/usr/bin:/bin",
                                                   "TMPDIR=/run/tipstaff/scratch", "TOKEN=x"));
  options_.unconfined = true;
  EXPECT_THAT(EnvironmentOf(options_), Contains("HOME=" + options_.scratch));
}

}  // namespace
}  // namespace tipstaff::upstream
