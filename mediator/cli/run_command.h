// Runs a program and waits for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tipstaff::cli {

struct Command {
  std::vector<std::string> arguments;    // the first is the program, looked for on PATH
  std::vector<std::string> environment;  // NAME=TEXT
  // Whether it gets this process's inheritable descriptors, or the standard three only: a folder's
  // would show it what bubblewrap hides.
  bool inherits_descriptors = false;
  // What it can read from descriptor 3, when not.
  std::optional<std::string> third_descriptor = std::nullopt;
};

// While it lives, SIGINT, SIGTERM, SIGHUP and SIGQUIT go to the command that runs and do not end
// this process. (Bubblewrap, when that is the command, ends at each of them and what it runs is
// killed.) One that is ignored (nohup) stays so. One at a time.
class SignalsToCommand {
 public:
  SignalsToCommand();
  ~SignalsToCommand();
};

// The command's exit status, or 128 and the number of the signal that ended it; so too for a signal
// that came before it started. Unavailable when it cannot be started.
absl::StatusOr<int> RunAndWait(const Command& command);

}  // namespace tipstaff::cli
