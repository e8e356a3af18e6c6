#include "mediator/cli/folder_watch.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <filesystem>
#include <fstream>

#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"

namespace tipstaff::cli {
namespace {

namespace fs = std::filesystem;

class FolderWatchTest : public ::testing::Test {
 protected:
  // Whether something happens within a while.
  static bool Happens(FolderWatch& watch) {
    pollfd wait{watch.fd(), POLLIN, 0};
    return ::poll(&wait, 1, 10'000) == 1 && watch.Take();
  }
  base::TempFolder folder_;
};

TEST_F(FolderWatchTest, SeesEveryWayOfSaving) {
  fs::create_directory(folder_.Path("below"));
  FolderWatch watch(folder_.path());
  ASSERT_GE(watch.fd(), 0);
  EXPECT_TRUE(watch.is_watching());
  EXPECT_FALSE(watch.Take());
  std::ofstream(folder_.Path("a")) << "x";
  EXPECT_TRUE(Happens(watch)) << "written";
  watch.Settle();
  EXPECT_FALSE(watch.Take());
  ASSERT_TRUE(base::WriteFile(folder_.Path("below/b"), "y").ok());
  EXPECT_TRUE(Happens(watch)) << "renamed, in a folder below";
  watch.Settle();
  fs::remove(folder_.Path("a"));
  EXPECT_TRUE(Happens(watch)) << "removed";
  watch.Settle();
  fs::create_directory(folder_.Path("new"));
  EXPECT_TRUE(Happens(watch));
  watch.Settle();
  std::ofstream(folder_.Path("new/c")) << "z";
  EXPECT_TRUE(Happens(watch)) << "in a folder that was made later";
}

TEST_F(FolderWatchTest, FindsAFolderThatIsReplaced) {
  fs::create_directory(folder_.Path("stub"));
  FolderWatch watch(folder_.Path("stub"));
  fs::remove_all(folder_.Path("stub"));
  EXPECT_TRUE(Happens(watch));
  EXPECT_FALSE(watch.is_watching());
  EXPECT_TRUE(watch.Take()) << "nothing will be told, so it is asked";
  fs::create_directory(folder_.Path("stub"));
  EXPECT_TRUE(watch.Take());
  EXPECT_TRUE(watch.is_watching());
  watch.Settle();
  std::ofstream(folder_.Path("stub/a")) << "x";
  EXPECT_TRUE(Happens(watch));
}

}  // namespace
}  // namespace tipstaff::cli
