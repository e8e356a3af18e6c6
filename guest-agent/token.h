// Tokens from files: the run's, which is the second lock beside the channel itself, and the one
// that clients of the HTTP server bear.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tipstaff::guest_agent {

// Reads the token from a file, without white space around it. The message names the file and never
// the token. NotFound or PermissionDenied as the file system has it; InvalidArgument when it is
// empty, has white space or control characters within, or begins with "${" (a variable that the
// program that wrote the file did not expand).
// `what` and `option` are for the message.
absl::StatusOr<std::string> ReadToken(const std::string& path, absl::string_view what = "run token",
                                      absl::string_view option = "--token-file");

}  // namespace tipstaff::guest_agent
