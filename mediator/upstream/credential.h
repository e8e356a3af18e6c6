// The secret by which an MCP server lets the mediator in. It goes to that server, and nowhere else.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/config/config.h"

namespace tipstaff::upstream {

struct Secret {
  std::string name;   // of the header or variable
  std::string value;  // what is sent
  std::string plain;  // the secret itself

  // Whether `text` has the secret in it, plain, JSON-escaped or in base64.
  bool IsIn(absl::string_view text) const;
  // `text` with each of these replaced by "[secret]".
  std::string Mask(std::string text) const;
};

// Reads it now. FailedPrecondition, never with the secret: a variable that is not set, a file that
// cannot be read or that others can, an empty secret, one with a line feed.
absl::StatusOr<Secret> ReadSecret(const config::Credential& credential);

}  // namespace tipstaff::upstream
