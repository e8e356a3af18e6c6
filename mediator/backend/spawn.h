// Starting a program with nothing of the mediator's but what it is given.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tipstaff::backend {

struct Descriptors {
  int input, output;  // its standard ones
  int lock;           // its descriptor 3
};

// In a process group of its own, with these descriptors and the mediator's standard error; no
// other one, no blocked or ignored signal, and PATH as its environment.
absl::StatusOr<pid_t> Spawn(const std::vector<std::string>& command, const std::string& folder,
                            const Descriptors& descriptors);

}  // namespace tipstaff::backend
