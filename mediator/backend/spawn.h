// Starting a program with nothing of the mediator's but what it is given.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tipstaff::backend {

// In a process group of its own, with `channel` as its standard input and output, `lock` as
// descriptor 3 and the mediator's standard error; no other descriptor, no blocked or ignored
// signal, and PATH as its environment.
absl::StatusOr<pid_t> Spawn(const std::vector<std::string>& command, const std::string& folder,
                            int channel, int lock);

}  // namespace tipstaff::backend
