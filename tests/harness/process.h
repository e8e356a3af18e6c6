// A child process with pipes.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "mediator/base/fd.h"

namespace tipstaff::harness {

struct ProcessOptions {
  std::string folder;                    // "": this one's
  std::vector<std::string> environment;  // "NAME=value", beside this process's own; the last counts
  std::string stderr_file;               // appended to; "": this process's standard error
};

// Killed and reaped on destruction. Not thread-safe.
class Process {
 public:
  static absl::StatusOr<Process> Start(const std::vector<std::string>& arguments,
                                       const ProcessOptions& options = {});
  Process(Process&& other) noexcept = default;
  Process& operator=(Process&&) = delete;
  ~Process();

  pid_t pid() const { return pid_.value; }
  absl::Status Write(absl::string_view bytes);
  void CloseInput() { input_.reset(); }
  // The next line of standard output without its end; NotFound at the end of output,
  // DeadlineExceeded.
  absl::StatusOr<std::string> ReadLine(absl::Duration timeout);
  // What came since the last line that was read.
  const std::string& rest() const { return buffer_; }
  void Signal(int signal);
  // The exit status (128 and the signal when one ended it), or DeadlineExceeded.
  absl::StatusOr<int> Wait(absl::Duration timeout);

 private:
  struct Pid {
    pid_t value = -1;
    Pid() = default;
    explicit Pid(pid_t pid) : value(pid) {}
    Pid(Pid&& other) noexcept : value(std::exchange(other.value, -1)) {}
  };
  Process(pid_t pid, base::Fd input, base::Fd output)
      : pid_(pid), input_(std::move(input)), output_(std::move(output)) {}

  Pid pid_;
  base::Fd input_, output_;
  std::string buffer_;
  std::optional<int> status_;
};

struct Finished {
  int status = 0;
  std::string out, err;
};
// Runs a command to its end.
absl::StatusOr<Finished> RunCommand(const std::vector<std::string>& arguments,
                                    const ProcessOptions& options = {},
                                    absl::Duration timeout = absl::Seconds(30));

}  // namespace tipstaff::harness
