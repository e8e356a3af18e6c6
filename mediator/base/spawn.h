// Starting a program with nothing of this process but what it is given.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/base/fd.h"

namespace tipstaff::base {

struct SpawnOptions {
  std::vector<std::string> command;      // the program and its arguments
  bool searches_path = false;            // where the program is written without a slash
  std::string folder;                    // that it is started in; "": this process's
  std::vector<std::string> environment;  // "NAME=value", all of it
  struct Descriptor {
    int ours = -1;
    int theirs = -1;  // below 10; standard ones that are not named are this process's
  };
  std::vector<Descriptor> descriptors;
};

struct Spawned {
  pid_t pid = -1;
  Fd pidfd;  // closed on exec; ready to be read when the process has ended
};

// In a process group of its own, so that a Ctrl-C at the terminal is ours to handle; no other
// descriptor than the ones named and the standard ones, no blocked or ignored signal. Whoever calls
// it has to reap the process.
absl::StatusOr<Spawned> Spawn(const SpawnOptions& options);

}  // namespace tipstaff::base
