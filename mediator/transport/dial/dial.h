// Connections to the mediator. Thread-safe; no state.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "mediator/base/fd.h"

namespace tipstaff::transport {

// The descriptors returned are connected, non-blocking and close-on-exec.

// Connects to the Unix stream socket at `path`; never waits.
// - Unavailable: nobody listens there (yet), or too many are waiting to be accepted;
// - PermissionDenied: this user may not connect;
// - FailedPrecondition: `path` is something else than a socket;
// - InvalidArgument: `path` is empty or longer than the kernel's 107 bytes.
absl::StatusOr<base::Fd> DialUnix(const std::string& path);

// Connects to AF_VSOCK `port` of `cid` and waits up to `timeout` for an answer. Unavailable when
// there is none, when nobody listens, or when this kernel has no vsock.
absl::StatusOr<base::Fd> DialVsock(uint32_t cid, uint32_t port,
                                   absl::Duration timeout = absl::Seconds(3));

}  // namespace tipstaff::transport
