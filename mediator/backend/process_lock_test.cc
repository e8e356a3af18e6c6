#include "mediator/backend/process_lock.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include "absl/time/clock.h"
#include "mediator/base/spawn.h"
#include "mediator/base/testing/temp_folder.h"

namespace tipstaff::backend {
namespace {

class ProcessLockTest : public ::testing::Test {
 protected:
  // A process that holds the lock, and whatever `script` starts.
  pid_t StartHolder(const std::string& script) {
    const auto lock = TakeProcessLock(path_);
    EXPECT_TRUE(lock.ok()) << lock.status();
    return Start({"sh", "-c", script}, lock->get());
  }
  // A process with `file` as its descriptor 3.
  pid_t Start(const std::vector<std::string>& command, int file) {
    const base::Fd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    const auto spawned =
        base::Spawn({.command = command,
                     .searches_path = true,
                     .folder = folder_.path(),
                     .environment = {"PATH=/usr/local/bin:/usr/bin:/bin"},
                     .descriptors = {{nothing.get(), 0}, {nothing.get(), 1}, {file, 3}}});
    EXPECT_TRUE(spawned.ok()) << spawned.status();
    return spawned.ok() ? spawned->pid : -1;
  }

  base::TempFolder folder_;
  const std::string path_ = ProcessLockPath(folder_.path(), "board");
};

TEST_F(ProcessLockTest, IsHeldByOneAtATime) {
  auto first = TakeProcessLock(path_);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_TRUE(absl::IsUnavailable(TakeProcessLock(path_).status()));
  first->reset();
  EXPECT_TRUE(TakeProcessLock(path_).ok());
}

TEST_F(ProcessLockTest, IsHeldByWhatAHolderStarted) {
  // The shell ends; what it started is in another group and session.
  const pid_t pid = StartHolder("setsid sleep 1000 & exit 0");
  ASSERT_EQ(::waitpid(pid, nullptr, 0), pid);
  EXPECT_TRUE(absl::IsUnavailable(TakeProcessLock(path_).status()));
  const auto taken = TakeFromHolders(path_, absl::Seconds(20));
  EXPECT_TRUE(taken.ok()) << taken.status();
}

TEST_F(ProcessLockTest, SparesThoseThatOnlyHaveTheFileOpen) {
  ASSERT_TRUE(TakeProcessLock(path_).ok());
  const base::Fd open(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  const pid_t bystander = Start({"sleep", "1000"}, open.get());
  ASSERT_GT(bystander, 0);
  const pid_t holder = StartHolder("sleep 1000");
  EXPECT_TRUE(TakeFromHolders(path_, absl::Seconds(20)).ok());
  EXPECT_EQ(::waitpid(holder, nullptr, 0), holder);
  EXPECT_EQ(::waitpid(bystander, nullptr, WNOHANG), 0) << "still runs";
  ::kill(bystander, SIGKILL);
  ::waitpid(bystander, nullptr, 0);
}

TEST_F(ProcessLockTest, SaysWhereItCannotBe) {
  const absl::Status status = TakeProcessLock(folder_.Path("none/board.lock")).status();
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
}

}  // namespace
}  // namespace tipstaff::backend
