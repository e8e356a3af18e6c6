// A program that speaks lines on its standard input and output, in a process group of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace boost::asio {
class io_context;
}

namespace tipstaff::backend {

struct ChildOptions {
  std::vector<std::string> command;  // a program without a slash is looked for in PATH
  std::string folder;                // that it is started in
  std::string lock_path;             // process_lock.h; nobody holds it
};

// What it says is untrusted: lines are bounded (limits.h), and whoever takes them decides what they
// mean. On the event loop's thread only. Callbacks may destroy the object.
class ChildProcess {
 public:
  using OnLine = std::function<void(absl::string_view line)>;  // without its end
  using OnGone = std::function<void(std::string how)>;         // "exited with 1"

  // Its environment is PATH; standard error is the mediator's. `on_gone` is called once, when the
  // program and whatever it started are gone: it exited, closed its input or output, said a line
  // that is too long, or was killed. A line that it said before still comes before.
  static absl::StatusOr<std::unique_ptr<ChildProcess>> Start(boost::asio::io_context& loop,
                                                             const ChildOptions& options,
                                                             OnLine on_line, OnGone on_gone);
  // Kills it, and waits until all is gone (kGoneTime at most). No callback follows.
  ~ChildProcess();

  // Adds the end of the line. An error where nothing of it is sent: too much waits already, it
  // closed its input, or it is being ended.
  absl::Status Send(std::string line);
  // Ends it and whatever it started; no line comes any more, and `on_gone` follows.
  void Kill(std::string why);

 private:
  class Impl;
  explicit ChildProcess(std::shared_ptr<Impl> impl);
  const std::shared_ptr<Impl> impl_;
};

}  // namespace tipstaff::backend
