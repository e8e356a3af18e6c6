#include "mediator/host/gate_process.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <cerrno>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/base/spawn.h"
#include "mediator/base/status.h"

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
  TIPSTAFF_ASSIGN_OR_RETURN(
      base::Spawned gate,
      base::Spawn({.command = {program, "--channel", channel, "--connections",
                               kind == Connections::kListen ? "listen" : "handoff"},
                   .descriptors = {{connections, kConnectionsFd}, {theirs.get(), kMediatorFd}}}));
  auto watch = std::make_shared<Watch>(loop, gate.pid, gate.pidfd.release(), std::move(on_exit));
  watch->Start();
  return std::unique_ptr<GateProcess>(new GateProcess(gate.pid, std::move(ours), std::move(watch)));
}

GateProcess::~GateProcess() { watch_->End(); }

}  // namespace tipstaff::host
