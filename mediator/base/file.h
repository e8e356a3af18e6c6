// Whole files, with messages a user can act on.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/base/fd.h"

namespace tipstaff::base {

// NotFound, PermissionDenied, or FailedPrecondition when it is not a regular file or larger than
// `max_bytes`; the message names the path. Never waits for a pipe's other end.
absl::StatusOr<std::string> ReadFile(const std::string& path, size_t max_bytes = 16 << 20);

// Writes beside `path` and renames, so that a reader sees the old or the new content; synced.
// `mode` as for open(2), for instance 0600.
absl::Status WriteFile(const std::string& path, absl::string_view content, int mode = 0644);

// As WriteFile, for a file that is not there: AlreadyExists when there is one, which stays as it
// is.
absl::Status CreateFile(const std::string& path, absl::string_view content, int mode = 0644);

// Paths of the regular files below `folder`, relative to it, sorted; symbolic links are not
// followed. Names that begin with a dot are left out.
absl::StatusOr<std::vector<std::string>> ListFiles(const std::string& folder);

// A file in memory alone with `bytes`, to be read from its beginning; closed on exec.
absl::StatusOr<Fd> FileInMemory(absl::string_view bytes);

// An absl::Status with the code that `error` (an errno) maps to and "`doing`: strerror".
absl::Status ErrnoToStatus(int error, absl::string_view doing);

}  // namespace tipstaff::base
