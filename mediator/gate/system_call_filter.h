// A seccomp filter for a process that serves sockets it already has: see seccomp(2).
#pragma once

#include "absl/status/status.h"

namespace tipstaff::gate {

// From now on, for all threads: what a gate needs is allowed (memory that is not executable,
// threads, waiting, the sockets it has); opening files is answered with EACCES and clone3 with
// ENOSYS (glibc and gRPC go on without); everything else ends the process with SIGSYS: new
// processes and programs, new sockets, ptrace, mounts, keys, io_uring and what later kernels bring.
// Needs no_new_privs. Unimplemented on processors whose system calls are not known here.
absl::Status FilterSystemCalls();

}  // namespace tipstaff::gate
