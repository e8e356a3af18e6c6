#include "mediator/backend/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "mediator/backend/error_output.h"
#include "mediator/backend/first_process.h"
#include "mediator/backend/process_lock.h"
#include "mediator/base/fd.h"
#include "mediator/base/file.h"
#include "mediator/base/spawn.h"
#include "mediator/base/status.h"

namespace tipstaff::backend {
namespace {

namespace asio = boost::asio;

constexpr size_t kChunkBytes = 64 << 10;
// Read at most in one turn of the loop: others have their turn, too.
constexpr int kChunksAtOnce = 16;
// A program that has closed its input or output is about to end.
constexpr std::chrono::milliseconds kTimeToExit(100);
// Between two looks whether all processes are gone: doubled from the first to the last.
constexpr std::chrono::milliseconds kFirstPause(2), kLastPause(64);

std::string Describe(int status) {
  if (WIFEXITED(status)) return absl::StrCat("exited with ", WEXITSTATUS(status));
  return absl::StrCat("was ended by signal ", WTERMSIG(status));
}

}  // namespace

// Handlers hold it, so that it outlives the ChildProcess while one runs.
class ChildProcess::Impl : public std::enable_shared_from_this<Impl> {
 public:
  Impl(asio::io_context& loop, pid_t pid, base::Fd pidfd, base::Fd input, base::Fd output,
       const ChildOptions& options, OnLine on_line, OnGone on_gone)
      : pid_(pid),
        pidfd_(loop, pidfd.release()),
        info_(loop),
        input_(loop, asio::local::stream_protocol(), input.release()),
        output_(loop, asio::local::stream_protocol(), output.release()),
        pause_(loop),
        lock_path_(options.lock_path),
        max_line_bytes_(options.max_line_bytes),
        max_unsent_bytes_(options.max_unsent_bytes),
        on_line_(std::move(on_line)),
        on_gone_(std::move(on_gone)) {
    input_.non_blocking(true);
    output_.non_blocking(true);
  }

  void Begin(std::unique_ptr<ErrorOutput> errors, std::unique_ptr<FirstProcess> first) {
    errors_ = std::move(errors);
    first_ = std::move(first);
    AwaitInfo();
    AwaitExit();
    AwaitBytes();
    AwaitHangUp();
  }

  absl::Status Send(std::string line) {
    if (muted_ || closing_) return absl::UnavailableError("its process is being ended");
    if (unsent_.size() + line.size() >= max_unsent_bytes_) {
      return absl::ResourceExhaustedError("it does not read");
    }
    line += '\n';
    unsent_ += line;
    Flush();
    // Of a line that was sent in part nobody knows.
    if (!hung_up_ || unsent_.size() < line.size()) return absl::OkStatus();
    unsent_.resize(unsent_.size() - line.size());
    return absl::UnavailableError("it closed its input");
  }

  void Kill(std::string why) {
    muted_ = true;
    if (why_.empty()) why_ = std::move(why);
    if (first_ != nullptr) first_->Find();
    KillGroup();
  }

  void Close(std::string why, absl::Duration patience) {
    if (muted_ || std::exchange(closing_, true)) return;
    why_ = std::move(why);
    unsent_.clear();  // nobody waits for the answer
    boost::system::error_code ignored;
    input_.shutdown(asio::local::stream_protocol::socket::shutdown_send, ignored);
    patience_ = absl::ToChronoMilliseconds(patience);
    After(patience_, [](Impl& self) {
      if (self.reaped_) return;
      SignalHolders(self.lock_path_, SIGTERM);
      self.After(self.patience_, [](Impl& still) { still.KillGroup(); });
    });
  }

  void EndNow() {
    muted_ = true;
    errors_.reset();
    on_line_ = nullptr;
    on_gone_ = nullptr;
    if (first_ != nullptr) first_->Find();
    if (!reaped_) {
      KillGroup();
      while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
      }
      reaped_ = true;
    }
    if (!gone_) (void)TakeFromHolders(lock_path_, kGoneTime);
    if (!gone_ && first_ != nullptr) first_->Await(kGoneTime);
    gone_ = true;
    Shut();
  }

 private:
  // Its group has its number for as long as it is not reaped.
  void KillGroup() {
    if (!reaped_) ::kill(-pid_, SIGKILL);
  }

  void AwaitInfo() {
    if (first_ == nullptr) return;
    info_.assign(::fcntl(first_->info(), F_DUPFD_CLOEXEC, 0));
    info_.async_wait(asio::posix::stream_descriptor::wait_read,
                     [self = shared_from_this()](boost::system::error_code error) {
                       if (!error) self->first_->Find();
                       self->info_.close(error);
                     });
  }

  void AwaitBytes() {
    output_.async_wait(asio::local::stream_protocol::socket::wait_read,
                       [self = shared_from_this()](boost::system::error_code error) {
                         if (error || !self->TakeBytes()) return;
                         self->AwaitBytes();
                       });
  }

  // No end of the input that reads is left: seen also where nothing is written.
  void AwaitHangUp() {
    input_.async_wait(asio::local::stream_protocol::socket::wait_error,
                      [self = shared_from_this()](boost::system::error_code error) {
                        if (error || self->hung_up_) return;
                        pollfd input = {self->input_.native_handle(), 0, 0};
                        if (::poll(&input, 1, 0) > 0) return self->OnHangUp();
                        self->AwaitHangUp();
                      });
  }

  // What it was asked may be lost.
  void OnHangUp() {
    if (std::exchange(hung_up_, true) || reaped_ || muted_ || closing_) return;
    After(kTimeToExit, [](Impl& self) { self.Kill("closed its input"); });
  }

  // Reads what is there; false when no more can come.
  bool TakeBytes() {
    char chunk[kChunkBytes];
    for (int chunks = 0; chunks < kChunksAtOnce; ++chunks) {
      const ssize_t got = ::recv(output_.native_handle(), chunk, sizeof chunk, MSG_DONTWAIT);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) return true;
      if (got <= 0) {
        if (!reaped_ && !closing_) {
          After(kTimeToExit, [](Impl& self) { self.Kill("closed its output"); });
        }
        return false;
      }
      said_.append(chunk, static_cast<size_t>(got));
      if (!TakeLines()) return false;
    }
    return true;
  }

  void After(std::chrono::milliseconds pause, void (*then)(Impl&)) {
    pause_.expires_after(pause);
    pause_.async_wait([self = shared_from_this(), then](boost::system::error_code error) {
      if (!error) then(*self);
    });
  }

  bool TakeLines() {
    size_t begin = 0;
    for (size_t end; (end = said_.find('\n', std::max(begin, scanned_))) != std::string::npos;
         begin = end + 1) {
      if (end - begin >= max_line_bytes_) break;
      if (muted_) return false;
      // It may destroy what it is called from.
      const OnLine on_line = on_line_;
      const std::string line = said_.substr(begin, end - begin);
      if (on_line) on_line(line);
    }
    said_.erase(0, begin);
    scanned_ = said_.size();
    if (said_.size() < max_line_bytes_) return !muted_;
    Kill(absl::StrCat("said a line of more than ", max_line_bytes_, " bytes"));
    return false;
  }

  void Flush() {
    while (!unsent_.empty()) {
      const ssize_t put = ::send(input_.native_handle(), unsent_.data(), unsent_.size(),
                                 MSG_DONTWAIT | MSG_NOSIGNAL);
      if (put < 0 && errno == EINTR) continue;
      if (put < 0 && errno != EAGAIN) return OnHangUp();
      if (put < 0) break;
      unsent_.erase(0, static_cast<size_t>(put));
    }
    if (unsent_.empty() || waiting_to_write_) return;
    waiting_to_write_ = true;
    input_.async_wait(asio::local::stream_protocol::socket::wait_write,
                      [self = shared_from_this()](boost::system::error_code error) {
                        self->waiting_to_write_ = false;
                        if (!error) self->Flush();
                      });
  }

  void AwaitExit() {
    pidfd_.async_wait(asio::posix::stream_descriptor::wait_read,
                      [self = shared_from_this()](boost::system::error_code error) {
                        if (error || self->reaped_) return;
                        // Asio may wake us for an event of a descriptor that was closed meanwhile.
                        self->HasExited() ? self->OnExit() : self->AwaitExit();
                      });
  }

  bool HasExited() const {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == pid_;
  }

  void OnExit() {
    if (reaped_) return;
    KillGroup();  // what it started
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    reaped_ = true;
    if (!muted_) TakeBytes();  // what it said last
    if (errors_ != nullptr) errors_->TakeRest();
    muted_ = true;
    how_ = why_.empty() ? Describe(status) : why_;
    AwaitGone();
  }

  void AwaitGone() {
    if (gone_) return;
    // Any other failure does not say that they are.
    gone_ = TakeProcessLock(lock_path_).ok() && (first_ == nullptr || first_->HasEnded());
    if (!gone_) {
      KillHolders(lock_path_);
      After(gone_pause_, [](Impl& self) { self.AwaitGone(); });
      gone_pause_ = std::min(2 * gone_pause_, kLastPause);
      return;
    }
    Shut();
    if (const OnGone on_gone = std::exchange(on_gone_, nullptr)) on_gone(how_);
  }

  void Shut() {
    boost::system::error_code ignored;
    pidfd_.close(ignored);
    info_.close(ignored);
    input_.close(ignored);
    output_.close(ignored);
    pause_.cancel();
  }

  const pid_t pid_;
  asio::posix::stream_descriptor pidfd_;
  asio::posix::stream_descriptor info_;                  // to wait for first_->info()
  asio::local::stream_protocol::socket input_, output_;  // this side of its
  asio::steady_timer pause_;
  const std::string lock_path_;
  const size_t max_line_bytes_, max_unsent_bytes_;
  std::unique_ptr<ErrorOutput> errors_;  // none: the mediator's
  std::unique_ptr<FirstProcess> first_;  // none: no namespace of its own
  OnLine on_line_;
  OnGone on_gone_;
  std::string said_, unsent_;
  size_t scanned_ = 0;     // of said_: no end of a line is before it
  std::string why_, how_;  // why it was killed; how it ended
  bool waiting_to_write_ = false;
  bool hung_up_ = false;  // it reads no more
  bool muted_ = false;    // no line is taken any more
  bool closing_ = false;  // it was asked to end
  std::chrono::milliseconds patience_{};
  bool reaped_ = false;  // the program itself
  std::chrono::milliseconds gone_pause_ = kFirstPause;
  bool gone_ = false;  // all of it
};

namespace {

struct Pair {
  base::Fd ours, theirs;
};

absl::StatusOr<Pair> MakePair() {
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
    return base::ErrnoToStatus(errno, "cannot make a socket pair for a process");
  }
  return Pair{base::Fd(pair[0]), base::Fd(pair[1])};
}

// No socket: that cannot be opened as /dev/stderr, which scripts do.
absl::StatusOr<Pair> MakePipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return base::ErrnoToStatus(errno, "cannot make a pipe for a process");
  }
  return Pair{base::Fd(ends[0]), base::Fd(ends[1])};
}

std::vector<std::string> OnlyPath() {
  const char* path = std::getenv("PATH");
  return {absl::StrCat("PATH=", path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin")};
}

}  // namespace

absl::StatusOr<std::unique_ptr<ChildProcess>> ChildProcess::Start(asio::io_context& loop,
                                                                  ChildOptions options,
                                                                  OnLine on_line, OnGone on_gone) {
  TIPSTAFF_ASSIGN_OR_RETURN(const base::Fd lock, TakeProcessLock(options.lock_path));
  // One for each way: what is closed of one that serves both cannot be seen.
  TIPSTAFF_ASSIGN_OR_RETURN(Pair input, MakePair());
  TIPSTAFF_ASSIGN_OR_RETURN(Pair output, MakePair());
  Pair errors, info;
  ::shutdown(input.theirs.get(), SHUT_WR);
  base::SpawnOptions spawn = {
      .command = options.command,
      .searches_path = true,
      .folder = options.folder,
      .environment = options.environment ? *std::move(options.environment) : OnlyPath(),
      .descriptors = {{input.theirs.get(), STDIN_FILENO}, {output.theirs.get(), STDOUT_FILENO}}};
  for (const int fd : options.lock_fds) spawn.descriptors.push_back({lock.get(), fd});
  if (options.on_errors) {
    TIPSTAFF_ASSIGN_OR_RETURN(errors, MakePipe());
    spawn.descriptors.push_back({errors.theirs.get(), STDERR_FILENO});
  }
  if (options.fourth_descriptor) {
    spawn.descriptors.push_back({options.fourth_descriptor.get(), kChildFourthFd});
  }
  if (options.has_first_process) {
    TIPSTAFF_ASSIGN_OR_RETURN(info, MakePipe());
    spawn.descriptors.push_back({info.theirs.get(), kChildInfoFd});
  }
  TIPSTAFF_ASSIGN_OR_RETURN(base::Spawned child, base::Spawn(spawn));
  info.theirs.reset();
  input.theirs.reset();
  output.theirs.reset();
  auto impl = std::make_shared<Impl>(loop, child.pid, std::move(child.pidfd), std::move(input.ours),
                                     std::move(output.ours), options, std::move(on_line),
                                     std::move(on_gone));
  impl->Begin(options.on_errors ? std::make_unique<ErrorOutput>(loop, std::move(errors.ours),
                                                                std::move(options.on_errors))
                                : nullptr,
              options.has_first_process
                  ? std::make_unique<FirstProcess>(std::move(info.ours), options.lock_path)
                  : nullptr);
  return std::unique_ptr<ChildProcess>(new ChildProcess(std::move(impl)));
}

ChildProcess::ChildProcess(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
ChildProcess::~ChildProcess() { impl_->EndNow(); }

absl::Status ChildProcess::Send(std::string line) { return impl_->Send(std::move(line)); }
void ChildProcess::Kill(std::string why) { impl_->Kill(std::move(why)); }
void ChildProcess::Close(std::string why, absl::Duration patience) {
  impl_->Close(std::move(why), patience);
}

}  // namespace tipstaff::backend
