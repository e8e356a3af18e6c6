// Whether this machine lets bubblewrap make a view.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace tipstaff::confine {

// Found out once in the life of the process, by confining /bin/true: NotFound where bubblewrap is
// not installed, FailedPrecondition where it cannot work (user namespaces are forbidden, as in many
// containers). The message says what to do, up to "or": the caller adds how to do without.
// Thread-safe; blocks for some milliseconds the first time.
absl::Status CanConfine();

// The same, of the program `bubblewrap`, each time anew.
absl::Status TryBubblewrap(const std::string& bubblewrap);

}  // namespace tipstaff::confine
