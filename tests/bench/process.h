// Child processes of a benchmark.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "mediator/base/fd.h"

namespace tipstaff::bench {

// A running child. Its standard input is a pipe of ours, so that it sees when we are gone; its
// standard error is ours. Ended (input closed, then SIGTERM, then SIGKILL) on destruction.
class Process {
 public:
  static absl::StatusOr<Process> Start(const std::vector<std::string>& command);
  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  ~Process();

  // Waits for the first line of its standard output.
  absl::StatusOr<std::string> ReadLine(absl::Duration timeout);
  bool Running() const;

 private:
  Process() = default;
  bool EndsWithin(absl::Duration time);

  pid_t pid_ = -1;
  base::Fd input_, output_;
};

// The whole standard output of a command that ends; an error with its exit code otherwise.
absl::StatusOr<std::string> OutputOf(const std::vector<std::string>& command);

// This executable.
std::string OwnPath();

}  // namespace tipstaff::bench
