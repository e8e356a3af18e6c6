// The machine's processes, as /proc shows them: what a mediator left behind.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tipstaff::harness {

// With `assignment` ("NAME=value") in the environment that they were started with, and not ended
// yet. Those of other users are left out.
std::vector<pid_t> ProcessesWith(absl::string_view assignment);
// "pid:[4026531836]"; "" for one that is gone.
std::string PidNamespaceOf(pid_t pid);
std::vector<pid_t> ProcessesInPidNamespace(const std::string& pid_namespace);
// Those that are not zombies, with their arguments separated by spaces.
struct CommandLine {
  pid_t pid = 0;
  std::string text;
};
std::vector<CommandLine> CommandLines();

}  // namespace tipstaff::harness
