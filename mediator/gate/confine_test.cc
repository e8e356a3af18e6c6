#include "mediator/gate/confine.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include "mediator/gate/limits.h"
#include "mediator/gate/testing/gate_fixture.h"

namespace tipstaff::gate {
namespace {

constexpr int kNotConfined = 100;

// What becomes of a confined process that does `what`: its exit code (what `what` returned), or
// 1000 + the signal that ended it.
int Confined(int (*what)()) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    KeepMemorySmall();
    ::_exit(Confine().ok() ? what() : kNotConfined);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(pid, &status, 0), pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

int ErrorOf(long result) { return result >= 0 ? 0 : errno; }

TEST(Confine, LeavesWhatAGateNeedsAndNothingElse) {
  if (!ConfinesFully()) GTEST_SKIP() << "sanitizers need more than a gate may do";
  struct Row {
    const char* name;
    int (*what)();
    int end;
  };
  const Row rows[] = {
      {"runs threads",
       [] {
         int done = 0;
         std::thread([&] { done = 1; }).join();
         return done == 1 ? 0 : 1;
       },
       0},
      {"opens no file", [] { return ErrorOf(::open("/etc/passwd", O_RDONLY)); }, EACCES},
      {"makes no file", [] { return ErrorOf(::open("/tmp/x", O_WRONLY | O_CREAT, 0600)); }, EACCES},
      {"maps no code",
       [] {
         void* got =
             ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
         return got == MAP_FAILED ? errno : 0;
       },
       EPERM},
      {"starts no process", [] { return ErrorOf(::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); },
       1000 + SIGSYS},
      {"starts no program",
       [] {
         char* const none[] = {nullptr};
         return ErrorOf(::execve("/bin/true", none, none));
       },
       1000 + SIGSYS},
      {"makes no socket", [] { return ErrorOf(::socket(AF_INET, SOCK_STREAM, 0)); }, 1000 + SIGSYS},
      {"connects nowhere", [] { return ErrorOf(::connect(0, nullptr, 0)); }, 1000 + SIGSYS},
      {"signals nobody", [] { return ErrorOf(::kill(::getppid(), 0)); }, 1000 + SIGSYS},
      {"removes nothing", [] { return ErrorOf(::unlink("/tmp/x")); }, 1000 + SIGSYS},
      {"traces nobody", [] { return ErrorOf(::syscall(SYS_ptrace, 0, 0, 0, 0)); }, 1000 + SIGSYS},
      {"has bounded memory",
       [] {
         void* got = ::mmap(nullptr, kMaxDataBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
         return got == MAP_FAILED ? errno : 0;
       },
       ENOMEM},
      {"has few descriptors",
       [] {
         int made = 0;
         while (::dup(2) >= 0) ++made;
         return made < static_cast<int>(kMaxDescriptors) ? 0 : 1;
       },
       0},
  };
  for (const Row& row : rows) EXPECT_EQ(Confined(row.what), row.end) << row.name;
}

TEST_F(GateTest, IsConfinedBeforeItServes) {
  ExpectACallWorks(*NewGuest());
  EXPECT_EQ(gate_->StatusOf("NoNewPrivs"), "1");
  if (!ConfinesFully()) GTEST_SKIP() << "the rest is off under sanitizers";
  EXPECT_EQ(gate_->StatusOf("Seccomp"), "2");
}

// As much as an honest guest can have under way at once stays within the limit on memory.
TEST_F(GateTest, HoldsFourOfTheLargestResultsAtOnce) {
  const auto guest = NewGuest();
  std::vector<std::future<CallResult>> calls;
  std::vector<uint64_t> streams;
  for (int i = 0; i < 4; ++i) {
    calls.push_back(guest->Call("large"));
    const auto frame = mediator_->Next();
    ASSERT_TRUE(frame.has_value());
    streams.push_back(frame->stream());
  }
  for (int piece = 0; piece < 32; ++piece) {
    for (const uint64_t stream : streams) {
      ASSERT_TRUE(mediator_->SendPiece(stream, std::string(256 << 10, 'x')));
    }
  }
  for (const uint64_t stream : streams) ASSERT_TRUE(mediator_->SendEnd(stream, "end"));
  for (auto& call : calls) {
    const CallResult result = call.get();
    EXPECT_TRUE(result.status.ok()) << result.status.error_message();
    EXPECT_EQ(result.Result().size(), size_t{(8 << 20) + 3});
  }
  EXPECT_TRUE(gate_->Running()) << gate_->Errors();
}

}  // namespace
}  // namespace tipstaff::gate
