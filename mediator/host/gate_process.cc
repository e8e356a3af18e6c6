#include "mediator/host/gate_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <cerrno>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"

namespace tipstaff::host {
namespace {

// Where the gate expects its descriptors.
constexpr int kConnectionsFd = 3;
constexpr int kMediatorFd = 4;

std::string Describe(int status) {
  if (WIFEXITED(status)) return absl::StrCat("exited with ", WEXITSTATUS(status));
  if (WIFSIGNALED(status)) return absl::StrCat("ended by signal ", WTERMSIG(status));
  return "ended";
}

}  // namespace

// Waits for the process through a pidfd, so that no signal handler is shared with anybody.
class GateProcess::Watch : public std::enable_shared_from_this<Watch> {
 public:
  Watch(boost::asio::io_context& loop, pid_t pid, int pidfd,
        std::function<void(std::string)> on_exit)
      : pid_(pid), pidfd_(loop, pidfd), on_exit_(std::move(on_exit)) {}

  void Start() {
    pidfd_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                      [self = shared_from_this()](boost::system::error_code error) {
                        if (error) return;
                        // Asio may wake us for an event of a descriptor that was closed meanwhile.
                        if (!self->Reap(WNOHANG)) self->Start();
                      });
  }

  // Ends the process if it still runs, and reaps it. No callback follows.
  void End() {
    on_exit_ = nullptr;
    if (reaped_) return;
    ::kill(pid_, SIGKILL);
    Reap(0);
    boost::system::error_code ignored;
    pidfd_.close(ignored);
  }

 private:
  // Whether the process is gone.
  bool Reap(int flags) {
    if (reaped_) return true;
    int status = 0;
    if (::waitpid(pid_, &status, flags) != pid_) return false;
    reaped_ = true;
    if (const auto on_exit = std::move(on_exit_)) on_exit(Describe(status));
    return true;
  }

  const pid_t pid_;
  boost::asio::posix::stream_descriptor pidfd_;
  std::function<void(std::string)> on_exit_;
  bool reaped_ = false;
};

absl::StatusOr<std::unique_ptr<GateProcess>> GateProcess::Start(
    boost::asio::io_context& loop, const std::string& program, const std::string& channel,
    Connections kind, int connections, std::function<void(std::string)> on_exit) {
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
    return base::ErrnoToStatus(errno, "cannot make a socket pair for a gate");
  }
  base::Fd ours(pair[0]), theirs(pair[1]);
  // Copies above the two targets, so that no dup2 overwrites a source.
  base::Fd high_connections(::fcntl(connections, F_DUPFD_CLOEXEC, 10));
  base::Fd high_mediator(::fcntl(theirs.get(), F_DUPFD_CLOEXEC, 10));
  if (!high_connections || !high_mediator) {
    return base::ErrnoToStatus(errno, "cannot copy a gate's descriptors");
  }

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, high_connections.get(), kConnectionsFd);
  posix_spawn_file_actions_adddup2(&actions, high_mediator.get(), kMediatorFd);
  // Nor what the mediator was started with, or a library opened without O_CLOEXEC.
  posix_spawn_file_actions_addclosefrom_np(&actions, kMediatorFd + 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, defaults;
  sigemptyset(&none);
  sigfillset(&defaults);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  // A group of its own: a Ctrl-C at the terminal is the mediator's to handle.
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::string arguments[] = {program, "--channel", channel, "--connections",
                             kind == Connections::kListen ? "listen" : "handoff"};
  char* argv[] = {arguments[0].data(), arguments[1].data(), arguments[2].data(),
                  arguments[3].data(), arguments[4].data(), nullptr};
  char* environment[] = {nullptr};
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, program.c_str(), &actions, &attributes, argv, environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) return base::ErrnoToStatus(error, absl::StrCat("cannot start `", program, "`"));

  const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (pidfd < 0) {
    const int cause = errno;
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return base::ErrnoToStatus(cause, "cannot watch a gate's process");
  }
  auto watch = std::make_shared<Watch>(loop, pid, pidfd, std::move(on_exit));
  watch->Start();
  return std::unique_ptr<GateProcess>(new GateProcess(pid, std::move(ours), std::move(watch)));
}

GateProcess::~GateProcess() { watch_->End(); }

}  // namespace tipstaff::host
