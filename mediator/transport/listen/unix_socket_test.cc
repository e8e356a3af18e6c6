#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "mediator/base/testing/temp_folder.h"
#include "mediator/transport/listen/listen.h"

namespace tipstaff::transport {
namespace {

using ::testing::HasSubstr;

bool Connects(const std::string& path) {
  const base::Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  return ::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
}

mode_t ModeOf(const std::string& path) {
  struct stat info {};
  EXPECT_EQ(::lstat(path.c_str(), &info), 0) << path;
  return info.st_mode & 07777;
}

TEST(ListenUnix, AnswersAtItsPathWithNonBlockingCloseOnExecDescriptor) {
  const base::TempFolder folder;
  const auto fd = ListenUnix(folder.Path("guest.sock"), 0600);
  ASSERT_TRUE(fd.ok()) << fd.status();
  EXPECT_TRUE(Connects(folder.Path("guest.sock")));
  EXPECT_TRUE(::fcntl(fd->get(), F_GETFL) & O_NONBLOCK);
  EXPECT_TRUE(::fcntl(fd->get(), F_GETFD) & FD_CLOEXEC);
}

TEST(ListenUnix, SetsTheModeWhateverTheUmask) {
  for (const mode_t umask_of_process : {0000, 0022, 0077}) {
    for (const int mode : {0600, 0660, 0666}) {
      const base::TempFolder folder;
      const mode_t before = ::umask(umask_of_process);
      const auto fd = ListenUnix(folder.Path("s"), mode);
      ::umask(before);
      ASSERT_TRUE(fd.ok()) << fd.status();
      EXPECT_EQ(ModeOf(folder.Path("s")), static_cast<mode_t>(mode)) << umask_of_process;
    }
  }
}

TEST(ListenUnix, MakesTheLastFolderPrivateAndNoOther) {
  const base::TempFolder folder;
  ASSERT_TRUE(ListenUnix(folder.Path("run/s"), 0600).ok());
  EXPECT_EQ(ModeOf(folder.Path("run")), 0700u);
  const auto deeper = ListenUnix(folder.Path("a/b/s"), 0600);
  EXPECT_EQ(deeper.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(deeper.status().message()), HasSubstr(folder.Path("a/b")));
}

TEST(ListenUnix, ReplacesAStaleSocket) {
  const base::TempFolder folder;
  { ASSERT_TRUE(ListenUnix(folder.Path("s"), 0600).ok()); }  // closed: the file stays behind
  ASSERT_TRUE(std::filesystem::exists(folder.Path("s")));
  ASSERT_FALSE(Connects(folder.Path("s")));
  const auto fd = ListenUnix(folder.Path("s"), 0600);
  ASSERT_TRUE(fd.ok()) << fd.status();
  EXPECT_TRUE(Connects(folder.Path("s")));
}

TEST(ListenUnix, LeavesALiveSocketAlone) {
  const base::TempFolder folder;
  const auto first = ListenUnix(folder.Path("s"), 0600);
  ASSERT_TRUE(first.ok());
  const auto second = ListenUnix(folder.Path("s"), 0600);
  EXPECT_EQ(second.status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(std::string(second.status().message()), HasSubstr("is in use"));
  EXPECT_TRUE(Connects(folder.Path("s")));
}

// Hostile case 46: a link where the socket is to be must not lead the host elsewhere.
TEST(ListenUnix, FollowsNoSymbolicLinkAtTheSocketsPlace) {
  const base::TempFolder folder;
  std::filesystem::create_symlink(folder.Path("nowhere"), folder.Path("dangling"));
  std::filesystem::create_symlink(folder.Path("live"), folder.Path("to-live"));
  const auto live = ListenUnix(folder.Path("live"), 0600);
  ASSERT_TRUE(live.ok());
  for (const char* name : {"dangling", "to-live"}) {
    const auto fd = ListenUnix(folder.Path(name), 0600);
    EXPECT_EQ(fd.status().code(), absl::StatusCode::kFailedPrecondition) << name;
    EXPECT_THAT(std::string(fd.status().message()), HasSubstr("symbolic link"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder.Path(name))) << "still there";
  }
  EXPECT_FALSE(std::filesystem::exists(folder.Path("nowhere")));
}

TEST(ListenUnix, KeepsAFileThatIsNoSocket) {
  const base::TempFolder folder;
  std::ofstream(folder.Path("file")) << "precious";
  std::filesystem::create_directory(folder.Path("folder"));
  for (const char* name : {"file", "folder"}) {
    const auto fd = ListenUnix(folder.Path(name), 0600);
    EXPECT_EQ(fd.status().code(), absl::StatusCode::kFailedPrecondition) << name;
    EXPECT_TRUE(std::filesystem::exists(folder.Path(name)));
  }
  EXPECT_EQ(std::filesystem::file_size(folder.Path("file")), 8u);
}

TEST(ListenUnix, RefusesPathsThatCannotBe) {
  const base::TempFolder folder;
  std::filesystem::create_directory(folder.Path("deeper"));
  const std::string deeper = folder.Path("deeper/");
  const std::string fits = deeper + std::string(107 - deeper.size(), 'x');
  ASSERT_EQ(fits.size(), 107u);
  EXPECT_TRUE(ListenUnix(fits, 0600).ok());
  struct Row {
    const char* name;
    std::string path;
    const char* message;
  };
  for (const Row& row :
       {Row{"one byte too long", fits + "x", "108 bytes"},
        Row{"name too long", "/tmp/" + std::string(86, 'x'), "at most 85"},
        Row{"empty", "", "names no file"}, Row{"a folder", folder.path() + "/", "names no file"},
        Row{"the folder itself", folder.path() + "/.", "names no file"},
        Row{"its parent", folder.path() + "/..", "names no file"},
        Row{"NUL", folder.path() + std::string("/a\0b", 4), "NUL"}}) {
    const auto fd = ListenUnix(row.path, 0600);
    EXPECT_EQ(fd.status().code(), absl::StatusCode::kInvalidArgument) << row.name;
    EXPECT_THAT(std::string(fd.status().message()), HasSubstr(row.message)) << row.name;
  }
}

TEST(RemoveSocket, RemovesSocketsOnly) {
  const base::TempFolder folder;
  const auto fd = ListenUnix(folder.Path("s"), 0600);
  ASSERT_TRUE(fd.ok());
  std::ofstream(folder.Path("file")) << "precious";
  std::filesystem::create_symlink(folder.Path("s"), folder.Path("link"));
  RemoveSocket(folder.Path("file"));
  RemoveSocket(folder.Path("link"));
  RemoveSocket(folder.Path("absent"));
  EXPECT_TRUE(std::filesystem::exists(folder.Path("file")));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.Path("link")));
  EXPECT_TRUE(std::filesystem::exists(folder.Path("s")));
  RemoveSocket(folder.Path("s"));
  EXPECT_FALSE(std::filesystem::exists(folder.Path("s")));
}

}  // namespace
}  // namespace tipstaff::transport
