// Code points of UTF-8 text (RFC 3629): no overlong forms, surrogates, or code points over
// U+10FFFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::base {

struct CodePoint {
  uint32_t value = 0;
  int bytes = 1;
  bool valid = true;  // false: `value` is the byte that is not UTF-8 here
};

// The first code point of `text`, which must not be empty.
CodePoint FirstCodePoint(absl::string_view text);

// How many bytes of ASCII, and how many printable ones (a space is), `text` begins with.
size_t AsciiRun(absl::string_view text);
size_t PrintableRun(absl::string_view text);

// An invalid byte counts as one.
size_t CountCodePoints(absl::string_view text);

bool IsUtf8(absl::string_view text);

// `text` with U+FFFD in place of each byte that is not UTF-8.
std::string ReplaceNonUtf8(absl::string_view text);

// The longest prefix of at most `bytes` bytes that does not end inside a code point; where it is no
// UTF-8 there, the longest.
absl::string_view CutUtf8(absl::string_view text, size_t bytes);

}  // namespace tipstaff::base
