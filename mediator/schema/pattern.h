// Regular expressions: JSON Schema writes them in ECMA-262's syntax, RE2 matches them in linear
// time.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tipstaff::schema {

// `pattern` in RE2's syntax, where it maps exactly: with RE2's defaults and UTF-8 the result
// matches the same texts as an ECMA-262 search with the flag u. InvalidArgument, with the reason
// in words, for what does not map: look-around, back-references, inline flags, \p{...} of
// anything but a general category, and what is an error in ECMA-262. What the result means is for
// RE2 to check.
absl::StatusOr<std::string> ToRe2(absl::string_view pattern);

}  // namespace tipstaff::schema
