#include "mediator/base/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/testing/temp_folder.h"

namespace tipstaff::base {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(File, WritesAndReadsWholeFiles) {
  TempFolder folder;
  const std::string path = folder.Path("a");
  ASSERT_TRUE(WriteFile(path, "one", 0600).ok());
  ASSERT_TRUE(WriteFile(path, "two", 0600).ok());
  EXPECT_EQ(*ReadFile(path), "two");
  struct stat info;
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600);
  EXPECT_THAT(*ListFiles(folder.path()), ElementsAre("a")) << "nothing is left beside it";
}

TEST(CreateFile, NeverTakesThePlaceOfWhatIsThere) {
  const TempFolder folder;
  const std::string path = folder.Path("a");
  ASSERT_TRUE(CreateFile(path, "one").ok());
  EXPECT_EQ(CreateFile(path, "two").code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(ReadFile(path).value_or(""), "one");
  std::filesystem::create_symlink("nowhere", folder.Path("link"));
  EXPECT_EQ(CreateFile(folder.Path("link"), "two").code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(CreateFile(folder.Path("no/folder"), "x").code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ListFiles(folder.path())->size(), 1u) << "nothing is left beside";
}

TEST(File, ErrorsNameThePath) {
  TempFolder folder;
  EXPECT_EQ(ReadFile(folder.Path("absent")).status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(ReadFile(folder.Path("absent")).status().message(), HasSubstr("absent"));
  EXPECT_EQ(ReadFile(folder.path()).status().code(), absl::StatusCode::kFailedPrecondition);
  ASSERT_TRUE(WriteFile(folder.Path("big"), "12345").ok());
  EXPECT_EQ(ReadFile(folder.Path("big"), 4).status().code(), absl::StatusCode::kFailedPrecondition);
}

// A pipe that nobody writes to was waited for without end.
TEST(ReadFile, ReadsNothingButRegularFiles) {
  const TempFolder folder;
  const std::string pipe = folder.Path("pipe"), socket = folder.Path("socket");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  ASSERT_EQ(::mknod(socket.c_str(), S_IFSOCK | 0600, 0), 0);
  std::filesystem::create_symlink("pipe", folder.Path("link"));
  for (const std::string& path : {pipe, socket, folder.Path("link"), std::string("/dev/null")}) {
    const absl::Status status = ReadFile(path).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << path;
    EXPECT_EQ(status.message(), absl::StrCat("`", path, "` is not a regular file"));
  }
}

TEST(File, ListsSortedWithoutHiddenFilesOrLinks) {
  TempFolder folder;
  std::filesystem::create_directories(folder.Path("b/.git"));
  ASSERT_TRUE(WriteFile(folder.Path("b/.git/config"), "").ok());
  ASSERT_TRUE(WriteFile(folder.Path("b/y"), "").ok());
  ASSERT_TRUE(WriteFile(folder.Path("a"), "").ok());
  std::filesystem::create_symlink("/etc/passwd", folder.Path("link"));
  EXPECT_THAT(*ListFiles(folder.path()), ElementsAre("a", "b/y"));
}

}  // namespace
}  // namespace tipstaff::base
