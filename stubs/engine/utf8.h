// Scripts make strings of any bytes; JSON takes UTF-8 only.
#pragma once

#include <cstddef>

#include "absl/strings/string_view.h"

namespace tipstaff::engine {

// Well-formed UTF-8 (RFC 3629): no overlong forms, surrogates, or code points over U+10FFFF.
bool IsUtf8(absl::string_view text);

// The longest prefix of at most `bytes` bytes that does not end inside a code point.
absl::string_view CutUtf8(absl::string_view text, size_t bytes);

}  // namespace tipstaff::engine
