#include "mediator/doctor/converse.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "mediator/base/escape.h"
#include "mediator/base/fd.h"
#include "mediator/base/file.h"
#include "mediator/base/spawn.h"
#include "mediator/base/status.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::doctor {
namespace {

constexpr size_t kMaxLineBytes = 16 << 20;
constexpr int kMillisecondsToEnd = 1000;
constexpr size_t kShownColumns = 240;

int MillisecondsTo(absl::Time deadline) {
  const int64_t left = absl::ToInt64Milliseconds(deadline - absl::Now());
  return left > 0 ? static_cast<int>(left) : 0;
}

struct Pipe {
  base::Fd out, in;  // to read from, to write to
};

absl::StatusOr<Pipe> NewPipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return base::ErrnoToStatus(errno, "cannot make a pipe");
  return Pipe{base::Fd(ends[0]), base::Fd(ends[1])};
}

// A write to a socket, unlike one to a pipe, can be made without a signal where nobody reads.
absl::StatusOr<Pipe> NewInput() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return base::ErrnoToStatus(errno, "cannot make a pair of sockets");
  }
  return Pipe{base::Fd(ends[0]), base::Fd(ends[1])};
}

// The program while it runs.
class Partner {
 public:
  static absl::StatusOr<std::unique_ptr<Partner>> Start(
      const Conversation& conversation, const std::vector<std::string>& environment) {
    TIPSTAFF_ASSIGN_OR_RETURN(Pipe input, NewInput());
    TIPSTAFF_ASSIGN_OR_RETURN(Pipe output, NewPipe());
    TIPSTAFF_ASSIGN_OR_RETURN(base::Fd errors, base::FileInMemory(""));
    TIPSTAFF_ASSIGN_OR_RETURN(base::Spawned spawned,
                              base::Spawn({.command = conversation.command,
                                           .folder = "/",
                                           .environment = environment,
                                           .descriptors = {{input.out.get(), STDIN_FILENO},
                                                           {output.in.get(), STDOUT_FILENO},
                                                           {errors.get(), STDERR_FILENO}}}));
    return std::unique_ptr<Partner>(new Partner(std::move(spawned), std::move(input.in),
                                                std::move(output.out), std::move(errors)));
  }

  ~Partner() {
    input_.reset();
    pollfd ended = {spawned_.pidfd.get(), POLLIN, 0};
    if (::poll(&ended, 1, kMillisecondsToEnd) <= 0) ::kill(-spawned_.pid, SIGKILL);
    while (::waitpid(spawned_.pid, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

  absl::Status Say(absl::string_view text, absl::Time deadline) {
    const std::string line = absl::StrCat(text, "\n");
    for (absl::string_view rest = line; !rest.empty();) {
      // A program that does not read must not keep us waiting.
      const ssize_t put =
          ::send(input_.get(), rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (put > 0) {
        rest.remove_prefix(put);
      } else if (errno == EAGAIN) {
        pollfd ready = {input_.get(), POLLOUT, 0};
        if (::poll(&ready, 1, MillisecondsTo(deadline)) == 0) return TooLate();
      } else if (errno != EINTR) {
        return Ended();
      }
    }
    return absl::OkStatus();
  }

  // The line that answers `id`.
  absl::StatusOr<std::string> Answer(absl::string_view id, absl::Time deadline) {
    for (;;) {
      TIPSTAFF_ASSIGN_OR_RETURN(std::string line, ReadLine(deadline));
      const absl::StatusOr<json::Document> message = json::Parse(line);
      if (!message.ok()) continue;
      const json::Value of = message->root().Find("id");
      if (of.exists() && !message->root().Find("method").exists() && json::Dump(of) == id) {
        return line;
      }
    }
  }

 private:
  Partner(base::Spawned spawned, base::Fd input, base::Fd output, base::Fd errors)
      : spawned_(std::move(spawned)),
        input_(std::move(input)),
        output_(std::move(output)),
        errors_(std::move(errors)) {}

  absl::StatusOr<std::string> ReadLine(absl::Time deadline) {
    for (;;) {
      if (const size_t end = buffer_.find('\n', searched_); end != std::string::npos) {
        std::string line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        searched_ = 0;
        return line;
      }
      searched_ = buffer_.size();
      if (buffer_.size() > kMaxLineBytes) {
        return absl::ResourceExhaustedError("it wrote a line of more than 16 MiB");
      }
      pollfd ready = {output_.get(), POLLIN, 0};
      const int count = ::poll(&ready, 1, MillisecondsTo(deadline));
      if (count == 0) return TooLate();
      if (count < 0 && errno != EINTR) return base::ErrnoToStatus(errno, "cannot wait for it");
      if (count < 0) continue;
      char bytes[65536];
      const ssize_t got = ::read(output_.get(), bytes, sizeof bytes);
      if (got == 0) return Ended();
      if (got > 0) buffer_.append(bytes, static_cast<size_t>(got));
    }
  }

  std::string FirstError() const {
    char bytes[1024];
    const ssize_t got = ::pread(errors_.get(), bytes, sizeof bytes, 0);
    const absl::string_view said(bytes, got > 0 ? static_cast<size_t>(got) : 0);
    return base::EscapeAndCut(said.substr(0, said.find('\n')), kShownColumns);
  }
  absl::Status Ended() const {
    const std::string said = FirstError();
    return absl::UnavailableError(
        absl::StrCat("it ended without an answer", said.empty() ? "" : ": ", said));
  }
  absl::Status TooLate() const {
    const std::string said = FirstError();
    return absl::DeadlineExceededError(
        absl::StrCat("it did not answer in time", said.empty() ? "" : ": ", said));
  }

  const base::Spawned spawned_;
  base::Fd input_;
  const base::Fd output_, errors_;
  std::string buffer_;
  size_t searched_ = 0;
};

}  // namespace

absl::StatusOr<std::vector<std::string>> Converse(const Conversation& conversation,
                                                  const std::vector<std::string>& environment,
                                                  absl::Duration timeout) {
  const absl::StatusOr<std::unique_ptr<Partner>> partner =
      Partner::Start(conversation, environment);
  if (!partner.ok()) return absl::UnavailableError(partner.status().message());
  std::vector<std::string> answers;
  for (const Conversation::Line& line : conversation.lines) {
    const absl::Time deadline = absl::Now() + timeout;
    TIPSTAFF_RETURN_IF_ERROR((*partner)->Say(line.text, deadline));
    if (line.id.empty()) continue;
    TIPSTAFF_ASSIGN_OR_RETURN(answers.emplace_back(), (*partner)->Answer(line.id, deadline));
  }
  return answers;
}

}  // namespace tipstaff::doctor
