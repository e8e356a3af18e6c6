#include "mediator/transport/dial/dial.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cstring>
#include <vector>

#include "mediator/base/file.h"
#include "mediator/base/testing/temp_folder.h"

namespace tipstaff::transport {
namespace {

using ::testing::HasSubstr;

base::Fd Listen(const std::string& path, int backlog) {
  base::Fd fd(::socket(AF_UNIX, SOCK_STREAM, 0));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  EXPECT_EQ(::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(::listen(fd.get(), backlog), 0);
  return fd;
}

TEST(DialUnix, ConnectsWithFlagsThatGrpcNeeds) {
  base::TempFolder folder;
  const base::Fd listener = Listen(folder.Path("s"), 1);
  const absl::StatusOr<base::Fd> fd = DialUnix(folder.Path("s"));
  ASSERT_TRUE(fd.ok()) << fd.status();
  EXPECT_TRUE(::fcntl(fd->get(), F_GETFL) & O_NONBLOCK) << "gRPC answers nothing on a blocking one";
  EXPECT_TRUE(::fcntl(fd->get(), F_GETFD) & FD_CLOEXEC);
  const base::Fd accepted(::accept(listener.get(), nullptr, nullptr));
  ASSERT_EQ(::write(fd->get(), "x", 1), 1);
  char byte = 0;
  EXPECT_EQ(::read(accepted.get(), &byte, 1), 1);
  EXPECT_EQ(byte, 'x');
}

TEST(DialUnix, SaysWhatIsWrong) {
  base::TempFolder folder;
  ASSERT_TRUE(base::WriteFile(folder.Path("file"), "").ok());
  { const base::Fd gone = Listen(folder.Path("gone"), 1); }
  struct Case {
    const char* reason;
    std::string path;
    absl::StatusCode code;
    const char* message;
  };
  const Case kCases[] = {
      {"nothing there", folder.Path("none"), absl::StatusCode::kUnavailable, "`tipstaff serve`"},
      {"the listener is gone", folder.Path("gone"), absl::StatusCode::kUnavailable, "no mediator"},
      {"another kind of file", folder.Path("file"), absl::StatusCode::kFailedPrecondition,
       "is not a socket"},
      {"empty", "", absl::StatusCode::kInvalidArgument, "empty"},
      {"too long for the kernel", std::string(108, 'x'), absl::StatusCode::kInvalidArgument,
       "108 bytes"},
      {"a folder that is a file", folder.Path("file/s"), absl::StatusCode::kFailedPrecondition,
       "file/s"},
  };
  for (const Case& c : kCases) {
    const absl::Status status = DialUnix(c.path).status();
    EXPECT_EQ(status.code(), c.code) << c.reason << ": " << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message)) << c.reason;
  }
}

TEST(DialUnix, DoesNotWaitForAFullListener) {
  base::TempFolder folder;
  const base::Fd listener = Listen(folder.Path("s"), 0);
  std::vector<base::Fd> queued;
  absl::Status status;
  for (int i = 0; i < 10 && status.ok(); ++i) {
    absl::StatusOr<base::Fd> fd = DialUnix(folder.Path("s"));
    status = fd.status();
    if (fd.ok()) queued.push_back(*std::move(fd));
  }
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("does not accept"));
}

}  // namespace
}  // namespace tipstaff::transport
