#include "mediator/cli/run_command.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "mediator/base/fd.h"
#include "mediator/base/file.h"
#include "mediator/base/status.h"

namespace tipstaff::cli {
namespace {

constexpr int kThird = 3;
constexpr int kRelayed[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

std::atomic<pid_t> child_to_end{0};
std::atomic<int> signal_that_came{0};

void Relay(int signal) {
  signal_that_came = signal;
  if (const pid_t child = child_to_end.load(); child > 0) ::kill(child, signal);
}

void OnSignals(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  for (const int signal : kRelayed) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    ::sigaction(signal, &action, nullptr);
  }
}

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// posix_spawnp(), whose error number it returns.
int Spawn(const Command& command, int third, pid_t& child) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  sigaddset(&defaults, SIGCHLD);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!command.inherits_descriptors) {
    if (third >= 0) posix_spawn_file_actions_adddup2(&actions, third, kThird);
    posix_spawn_file_actions_addclosefrom_np(&actions, third >= 0 ? kThird + 1 : kThird);
  }
  std::vector<char*> arguments = Pointers(command.arguments);
  std::vector<char*> environment = Pointers(command.environment);
  const int error = ::posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(),
                                   environment.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

}  // namespace

SignalsToCommand::SignalsToCommand() {
  signal_that_came = 0;
  OnSignals(&Relay);
}

SignalsToCommand::~SignalsToCommand() { OnSignals(SIG_DFL); }

absl::StatusOr<int> RunAndWait(const Command& command) {
  base::Fd third;
  if (command.third_descriptor) {
    TIPSTAFF_ASSIGN_OR_RETURN(third, base::FileInMemory(*command.third_descriptor));
  }
  if (const int signal = signal_that_came) return 128 + signal;
  // Whoever started this program may have ignored it: then no child could be waited for.
  ::signal(SIGCHLD, SIG_DFL);
  pid_t child = -1;
  if (const int error = Spawn(command, third ? third.get() : -1, child); error != 0) {
    return absl::UnavailableError(
        absl::StrCat("cannot start `", command.arguments[0], "`: ", std::strerror(error)));
  }
  child_to_end = child;
  // One that came while there was no child to tell.
  if (const int signal = signal_that_came) ::kill(child, signal);
  // The child is let go of only when no signal can be sent to its number any more.
  siginfo_t ended;
  while (::waitid(P_PID, child, &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  child_to_end = 0;
  int status = 0;
  if (::waitpid(child, &status, 0) < 0) {
    return base::ErrnoToStatus(errno, absl::StrCat("cannot wait for `", command.arguments[0], "`"));
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace tipstaff::cli
