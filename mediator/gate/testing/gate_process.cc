#include "mediator/gate/testing/gate_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "mediator/base/fd.h"

namespace tipstaff::gate {
namespace {

constexpr int kSpare = 64;  // above every number that is moved

// Between fork and exec: system calls only.
[[noreturn]] void Become(char* const* argv, int connections, int mediator, int errors) {
  char* const environment[] = {nullptr};
  const int from[] = {connections, mediator};
  int moved[2];
  for (int i = 0; i < 2; ++i) moved[i] = from[i] < 0 ? -1 : ::fcntl(from[i], F_DUPFD, kSpare);
  ::dup2(errors, STDERR_FILENO);
  for (int i = 0; i < 2; ++i) {
    moved[i] < 0 ? ::close(3 + i) : ::dup2(moved[i], 3 + i);
  }
  ::syscall(SYS_close_range, 5, ~0U, 0);
  ::execve(argv[0], argv, environment);
  ::_exit(127);
}

}  // namespace

GateProcess::GateProcess(std::vector<std::string> arguments, int connections, int mediator,
                         std::string errors_path)
    : errors_path_(std::move(errors_path)) {
  arguments.insert(arguments.begin(), TIPSTAFF_BIN_DIR "/tipstaff-gate");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const base::Fd errors(
      ::open(errors_path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  pid_ = ::fork();
  if (pid_ == 0) Become(argv.data(), connections, mediator, errors.get());
}

GateProcess::~GateProcess() {
  if (pid_ <= 0 || ended_.has_value()) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

bool GateProcess::Running() { return !Wait(0).has_value(); }

std::optional<int> GateProcess::Wait(int milliseconds) {
  if (ended_.has_value()) return ended_;
  const base::Fd process(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  pollfd polled{process.get(), POLLIN, 0};
  if (::poll(&polled, 1, milliseconds) <= 0) return std::nullopt;
  int status = 0;
  if (::waitpid(pid_, &status, 0) != pid_) return std::nullopt;
  ended_ = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  return ended_;
}

std::string GateProcess::Errors() const {
  std::ostringstream text;
  text << std::ifstream(errors_path_).rdbuf();
  return text.str();
}

std::string GateProcess::StatusOf(const std::string& line) const {
  std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
  for (std::string text; std::getline(status, text);) {
    if (text.starts_with(line + ":"))
      return text.substr(text.find_first_not_of(" \t", line.size() + 1));
  }
  return "";
}

}  // namespace tipstaff::gate
