#include "tests/bench/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"

namespace tipstaff::bench {
namespace {

struct Pipe {
  base::Fd read, write;
};

absl::StatusOr<Pipe> NewPipe() {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) return base::ErrnoToStatus(errno, "cannot make a pipe");
  return Pipe{base::Fd(fds[0]), base::Fd(fds[1])};
}

absl::StatusOr<pid_t> Spawn(const std::vector<std::string>& command, int input, int output) {
  std::vector<char*> argv;
  for (const std::string& argument : command) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    return base::ErrnoToStatus(error, absl::StrCat("cannot start `", command[0], "`"));
  }
  return pid;
}

}  // namespace

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      input_(std::move(other.input_)),
      output_(std::move(other.output_)) {}

absl::StatusOr<Process> Process::Start(const std::vector<std::string>& command) {
  TIPSTAFF_ASSIGN_OR_RETURN(Pipe input, NewPipe());
  TIPSTAFF_ASSIGN_OR_RETURN(Pipe output, NewPipe());
  Process process;
  TIPSTAFF_ASSIGN_OR_RETURN(process.pid_, Spawn(command, input.read.get(), output.write.get()));
  process.input_ = std::move(input.write);
  process.output_ = std::move(output.read);
  return process;
}

Process::~Process() {
  if (pid_ < 0) return;
  input_.reset();
  if (EndsWithin(absl::Seconds(1))) return;
  ::kill(pid_, SIGTERM);
  if (EndsWithin(absl::Seconds(5))) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

bool Process::EndsWithin(absl::Duration time) {
  const base::Fd process(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  pollfd polled{process.get(), POLLIN, 0};
  if (::poll(&polled, 1, static_cast<int>(absl::ToInt64Milliseconds(time))) <= 0) return false;
  return ::waitpid(pid_, nullptr, 0) == pid_;
}

bool Process::Running() const {
  siginfo_t info{};
  const int result = ::waitid(P_PID, pid_, &info, WEXITED | WNOHANG | WNOWAIT);
  return result == 0 && info.si_pid == 0;
}

absl::StatusOr<std::string> Process::ReadLine(absl::Duration timeout) {
  const absl::Time deadline = absl::Now() + timeout;
  std::string line;
  for (;;) {
    pollfd polled{output_.get(), POLLIN, 0};
    const int64_t left = absl::ToInt64Milliseconds(deadline - absl::Now());
    if (left <= 0 || ::poll(&polled, 1, static_cast<int>(left)) <= 0) {
      return absl::DeadlineExceededError("a child process said nothing in time");
    }
    char c;
    if (::read(output_.get(), &c, 1) != 1) {
      return absl::UnavailableError("a child process ended before it was ready");
    }
    if (c == '\n') return line;
    line += c;
  }
}

absl::StatusOr<std::string> OutputOf(const std::vector<std::string>& command) {
  TIPSTAFF_ASSIGN_OR_RETURN(Pipe output, NewPipe());
  const base::Fd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  TIPSTAFF_ASSIGN_OR_RETURN(const pid_t pid, Spawn(command, nothing.get(), output.write.get()));
  output.write.reset();
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = ::read(output.read.get(), buffer, sizeof buffer)) > 0;) {
    text.append(buffer, got);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (status != 0) {
    return absl::InternalError(absl::StrCat("`", command[0], " ",
                                            command.size() > 1 ? command[1] : "",
                                            "` failed with exit code ", WEXITSTATUS(status)));
  }
  return text;
}

std::string OwnPath() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

}  // namespace tipstaff::bench
