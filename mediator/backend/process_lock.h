// A file that says whether a backend's processes are gone, also to a mediator that did not start
// them.
//
// Each of the processes inherits one open file description that holds an exclusive flock(2) on it.
// The kernel drops the lock with the last of them, whatever way they end, so that whoever takes it
// knows. A process that has closed the description, on purpose or as Python's subprocess does, is
// not seen: docs/test-systems.md says what is left.
#pragma once

#include <sys/types.h>

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "mediator/base/fd.h"

namespace tipstaff::backend {

// The file of one backend, in the folder of its run.
std::string ProcessLockPath(const std::string& run_folder, absl::string_view alias);

// Makes the file where it is missing. Unavailable while somebody holds it.
absl::StatusOr<base::Fd> TakeProcessLock(const std::string& path);

// Sends the signal to every process that holds the lock (Linux: found by /proc/PID/fdinfo), in
// whatever process namespace it is. Only those of this user can be found.
void SignalHolders(const std::string& path, int signal);

// With SIGKILL. They may take a moment to be gone.
void KillHolders(const std::string& path);

// A pidfd of the process, where it holds the lock; else none.
base::Fd OpenHolder(const std::string& path, pid_t pid);

// Takes the lock; kills whoever has it, and waits for `patience` until they are gone. Blocks.
absl::StatusOr<base::Fd> TakeFromHolders(const std::string& path, absl::Duration patience);

}  // namespace tipstaff::backend
