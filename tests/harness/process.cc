#include "tests/harness/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/file.h"
#include "mediator/base/ids.h"
#include "mediator/base/status.h"

namespace tipstaff::harness {
namespace {

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& one : strings) pointers.push_back(const_cast<char*>(one.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

int Left(absl::Time deadline) {
  return static_cast<int>(std::max<int64_t>(0, absl::ToInt64Milliseconds(deadline - absl::Now())));
}

}  // namespace

absl::StatusOr<Process> Process::Start(const std::vector<std::string>& arguments,
                                       const ProcessOptions& options) {
  int in[2], out[2];
  if (::pipe2(in, O_CLOEXEC) != 0) return base::ErrnoToStatus(errno, "pipe");
  base::Fd child_in(in[0]), input(in[1]);
  if (::pipe2(out, O_CLOEXEC) != 0) return base::ErrnoToStatus(errno, "pipe");
  base::Fd output(out[0]), child_out(out[1]);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, child_in.get(), 0);
  posix_spawn_file_actions_adddup2(&actions, child_out.get(), 1);
  if (!options.stderr_file.empty()) {
    posix_spawn_file_actions_addopen(&actions, 2, options.stderr_file.c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND, 0600);
  }
  if (!options.folder.empty()) {
    posix_spawn_file_actions_addchdir_np(&actions, options.folder.c_str());
  }
  std::vector<std::string> environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    environment.emplace_back(*variable);
  }
  for (const std::string& variable : options.environment) {
    const std::string name = variable.substr(0, variable.find('=') + 1);
    std::erase_if(environment, [&](const std::string& one) { return absl::StartsWith(one, name); });
    environment.push_back(variable);
  }
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, arguments[0].c_str(), &actions, nullptr,
                                   Pointers(arguments).data(), Pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    return base::ErrnoToStatus(error, absl::StrCat("cannot start `", arguments[0], "`"));
  }
  return Process(pid, std::move(input), std::move(output));
}

Process::~Process() {
  if (pid_.value < 0 || status_) return;
  Signal(SIGKILL);
  ::waitpid(pid_.value, nullptr, 0);
}

void Process::Signal(int signal) {
  if (pid_.value > 0 && !status_) ::kill(pid_.value, signal);
}

absl::Status Process::Write(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(input_.get(), bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return base::ErrnoToStatus(errno, "cannot write to the process");
    bytes.remove_prefix(put);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> Process::ReadLine(absl::Duration timeout) {
  const absl::Time deadline = absl::Now() + timeout;
  for (;;) {
    if (const size_t end = buffer_.find('\n'); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    pollfd wait{output_.get(), POLLIN, 0};
    if (::poll(&wait, 1, Left(deadline)) == 0) {
      return absl::DeadlineExceededError("no line came in time");
    }
    char chunk[65536];
    const ssize_t got = ::read(output_.get(), chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return absl::NotFoundError("the process's output has ended");
    buffer_.append(chunk, got);
  }
}

absl::StatusOr<int> Process::Wait(absl::Duration timeout) {
  const absl::Time deadline = absl::Now() + timeout;
  while (!status_) {
    int status = 0;
    if (::waitpid(pid_.value, &status, WNOHANG) == pid_.value) {
      status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    } else if (absl::Now() > deadline) {
      return absl::DeadlineExceededError("the process has not ended");
    } else {
      absl::SleepFor(absl::Milliseconds(2));
    }
  }
  return *status_;
}

absl::StatusOr<Finished> RunCommand(const std::vector<std::string>& arguments,
                                    const ProcessOptions& options, absl::Duration timeout) {
  ProcessOptions with_file = options;
  const char* folder = std::getenv("TMPDIR");
  with_file.stderr_file =
      absl::StrCat(folder != nullptr ? folder : "/tmp", "/tipstaff-stderr-", base::RandomText(12));
  Finished finished;
  const auto run = [&]() -> absl::Status {
    TIPSTAFF_ASSIGN_OR_RETURN(Process process, Process::Start(arguments, with_file));
    process.CloseInput();
    for (;;) {
      const absl::StatusOr<std::string> line = process.ReadLine(timeout);
      if (absl::IsNotFound(line.status())) break;
      if (!line.ok()) return line.status();
      absl::StrAppend(&finished.out, *line, "\n");
    }
    finished.out.append(process.rest());  // a last line without its end
    TIPSTAFF_ASSIGN_OR_RETURN(finished.status, process.Wait(timeout));
    return absl::OkStatus();
  };
  const absl::Status ran = run();
  finished.err = base::ReadFile(with_file.stderr_file).value_or("");
  ::unlink(with_file.stderr_file.c_str());
  if (!ran.ok()) return ran;
  return finished;
}

}  // namespace tipstaff::harness
