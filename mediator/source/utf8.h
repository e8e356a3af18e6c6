// Code points of UTF-8 text, and how wide a terminal draws them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace tipstaff::source {

struct CodePoint {
  uint32_t value = 0;
  int bytes = 1;
  bool valid = true;  // false: `value` is the byte that is not UTF-8 here
};

// The first code point of `text`, which must not be empty. Overlong forms, surrogates and what is
// beyond U+10FFFF are not valid.
CodePoint FirstCodePoint(absl::string_view text);

// An invalid byte counts as one.
int CountCodePoints(absl::string_view text);

// Terminal columns: 2 for East Asian wide characters and emoji, 0 for combining marks, else 1.
// An approximation of Unicode's tables that keeps a caret in its place.
int ColumnsOf(uint32_t code_point);

}  // namespace tipstaff::source
