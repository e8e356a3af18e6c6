// The run token: the second lock beside the channel itself.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace tipstaff::guest_agent {

// Reads the token from a file, without white space around it. The message names the file and never
// the token. NotFound or PermissionDenied as the file system has it; InvalidArgument when it is
// empty, has white space or control characters within, or begins with "${" (a variable that the
// program that wrote the file did not expand).
absl::StatusOr<std::string> ReadToken(const std::string& path);

}  // namespace tipstaff::guest_agent
