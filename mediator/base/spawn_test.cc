#include "mediator/base/spawn.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mediator/base/testing/temp_folder.h"

namespace tipstaff::base {
namespace {

struct Pipe {
  Fd read, write;
};
Pipe NewPipe() {
  int fds[2];
  EXPECT_EQ(::pipe2(fds, O_CLOEXEC), 0);
  return {Fd(fds[0]), Fd(fds[1])};
}

// What a shell's script says on the descriptor that it has as 3.
std::string SaysOn3(const std::string& script, SpawnOptions options) {
  Pipe pipe = NewPipe();
  options.command = {"sh", "-c", script};
  options.searches_path = true;
  options.descriptors.push_back({pipe.write.get(), 3});
  const auto spawned = Spawn(options);
  EXPECT_TRUE(spawned.ok()) << spawned.status();
  pipe.write.reset();
  std::string said;
  char buffer[4096];
  for (ssize_t got; (got = ::read(pipe.read.get(), buffer, sizeof buffer)) > 0;)
    said.append(buffer, got);
  pollfd ended{spawned->pidfd.get(), POLLIN, 0};
  EXPECT_EQ(::poll(&ended, 1, 20'000), 1) << "the pidfd says that it has ended";
  EXPECT_EQ(::waitpid(spawned->pid, nullptr, 0), spawned->pid);
  return said;
}

TEST(Spawn, GivesNothingButWhatIsNamed) {
  const Pipe other = NewPipe();
  const int inherited = ::fcntl(other.read.get(), F_DUPFD, 20);  // as from a careless library
  EXPECT_EQ(SaysOn3("for i in 4 5 6 7 8 9 20; do [ -e /proc/self/fd/$i ] && echo $i >&3; done", {}),
            "");
  ::close(inherited);
  EXPECT_EQ(SaysOn3("echo $HOME/$A >&3", {.environment = {"A=b"}}), "/b\n");
  const TempFolder folder;
  EXPECT_EQ(SaysOn3("pwd -P >&3", {.folder = folder.path()}), folder.path() + "\n");
}

TEST(Spawn, GivesAGroupOfItsOwnAndNoSignalsThatAreHeldBack) {
  sigset_t held;
  sigemptyset(&held);
  sigaddset(&held, SIGTERM);
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, &held, &before);
  EXPECT_EQ(SaysOn3("kill -TERM $$; echo alive >&3", {}), "");
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  // The fifth word of it is the group.
  EXPECT_EQ(SaysOn3("read -r a b c d group e < /proc/$$/stat; [ $$ = $group ] && echo own >&3", {}),
            "own\n");
}

TEST(Spawn, SaysWhatCannotBeStarted) {
  const absl::Status status = Spawn({.command = {"/nowhere/program"}}).status();
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
  EXPECT_NE(status.message().find("`/nowhere/program`"), std::string::npos) << status;
}

// A source may have the number of another one's target.
TEST(Spawn, SwapsDescriptors) {
  Pipe pipe = NewPipe();
  const Fd reads(::fcntl(pipe.read.get(), F_DUPFD_CLOEXEC, 7));
  const Fd writes(::fcntl(pipe.write.get(), F_DUPFD_CLOEXEC, 7));
  ASSERT_LT(reads.get(), 10);
  ASSERT_LT(writes.get(), 10);
  const auto spawned =
      Spawn({.command = {"sh", "-c", "echo swapped >&" + std::to_string(reads.get())},
             .searches_path = true,
             .descriptors = {{reads.get(), writes.get()}, {writes.get(), reads.get()}}});
  ASSERT_TRUE(spawned.ok()) << spawned.status();
  char buffer[16] = {};
  EXPECT_EQ(::read(pipe.read.get(), buffer, sizeof buffer), 8);
  EXPECT_EQ(::waitpid(spawned->pid, nullptr, 0), spawned->pid);
}

}  // namespace
}  // namespace tipstaff::base
