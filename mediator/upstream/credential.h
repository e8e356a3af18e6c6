// The secret by which an MCP server lets the mediator in. It goes to that server, and nowhere else.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "mediator/config/config.h"
#include "mediator/upstream/secrets.h"

namespace tipstaff::upstream {

struct Secret {
  std::string name;   // of the header or variable
  std::string value;  // what is sent
  Secrets texts;      // it, and the secret in it
};

// Reads it now. FailedPrecondition, never with the secret: a variable that is not set, a file that
// cannot be read or that others can, an empty secret, one with a line feed.
absl::StatusOr<Secret> ReadSecret(const config::Credential& credential);

}  // namespace tipstaff::upstream
