// A program that speaks lines on its standard input and output, in a process group of its own.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "mediator/backend/limits.h"
#include "mediator/base/fd.h"

namespace boost::asio {
class io_context;
}

namespace tipstaff::backend {

inline constexpr int kChildLockFd = 3;    // a child's descriptor on the process lock
inline constexpr int kChildFourthFd = 4;  // and on ChildOptions::fourth_descriptor
inline constexpr int kChildInfoFd = 6;    // see ChildOptions::has_first_process

struct ChildOptions {
  std::vector<std::string> command;  // a program without a slash is looked for in PATH
  std::string folder;                // that it is started in
  std::string lock_path;             // process_lock.h; nobody holds it
  // "NAME=value", all of it. Missing: PATH as this process has it, and nothing else.
  std::optional<std::vector<std::string>> environment = std::nullopt;
  // Its descriptors on the process lock, below 10.
  std::vector<int> lock_fds = {kChildLockFd};
  // A file that it has as descriptor 4, read from where it stands.
  base::Fd fourth_descriptor = {};
  // It makes a process namespace, and says on kChildInfoFd which process is the first there, in
  // JSON as bubblewrap's --info-fd has it, before another one is in it. Then it is gone when that
  // one has ended and the kernel has ended all others, and not only when the lock is free, which a
  // process may have closed.
  bool has_first_process = false;
  // Takes its standard error, as it comes; once it says false, the rest is read and dropped,
  // slowly. Missing: standard error is the mediator's.
  std::function<bool(absl::string_view bytes)> on_errors = nullptr;
  size_t max_line_bytes = kMaxLineBytes;
  size_t max_unsent_bytes = kMaxUnsentBytes;
};

// What it says is untrusted: lines are bounded, and whoever takes them decides what they mean. On
// the event loop's thread only, which is the one that starts it. Callbacks may destroy the object.
class ChildProcess {
 public:
  using OnLine = std::function<void(absl::string_view line)>;  // without its end
  using OnGone = std::function<void(std::string how)>;         // "exited with 1"

  // `on_gone` is called once, when the program and whatever it started are gone: it exited, closed
  // its input or output, said a line that is too long, or was ended. What it said before still
  // comes before.
  static absl::StatusOr<std::unique_ptr<ChildProcess>> Start(boost::asio::io_context& loop,
                                                             ChildOptions options, OnLine on_line,
                                                             OnGone on_gone);
  // Kills it, and waits until all is gone (kGoneTime at most). No callback follows.
  ~ChildProcess();

  // Adds the end of the line. An error where nothing of it is sent: too much waits already, it
  // closed its input, or it is being ended.
  absl::Status Send(std::string line);
  // Ends it and whatever it started; no line comes any more, and `on_gone` follows.
  void Kill(std::string why);
  // The same, gently: its input ends; after `patience` those that hold the lock get SIGTERM; after
  // that time again all is killed. Lines still come, and `on_gone` follows. Does not wait.
  void Close(std::string why, absl::Duration patience);

 private:
  class Impl;
  explicit ChildProcess(std::shared_ptr<Impl> impl);
  const std::shared_ptr<Impl> impl_;
};

}  // namespace tipstaff::backend
