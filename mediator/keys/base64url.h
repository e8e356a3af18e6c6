// base64url without padding (RFC 4648 section 5), as JOSE uses it: one text per byte string.
#pragma once

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::keys {

std::string Base64Url(absl::string_view bytes);

// Nullopt unless `text` is exactly what Base64Url() makes of the result: no padding, white space,
// other alphabet, or set bits after the last byte.
std::optional<std::string> FromBase64Url(absl::string_view text);

}  // namespace tipstaff::keys
