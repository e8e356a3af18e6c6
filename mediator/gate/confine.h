// What a gate gives up before its first guest connects, whatever gRPC can be made to do.
#pragma once

#include "absl/status/status.h"

namespace tipstaff::gate {

// False in builds with a sanitizer, which needs memory and system calls of its own.
bool ConfinesFully();

// Small stacks and few heaps. Before the first thread.
void KeepMemorySmall();

// For all threads, those that run and those to come: no new privileges, no core dump, limits on
// memory and descriptors (limits.h), and the system calls of system_call_filter.h. For good; when
// it fails the process is to end. After gRPC has started, which reads files as it does.
absl::Status Confine();

}  // namespace tipstaff::gate
