// The bytes of a string that stand for themselves in JSON text.
#pragma once

#include <cstdint>
#include <cstring>

#include "absl/strings/string_view.h"

namespace tipstaff::json::internal {

// Control characters, the quotation mark and the backslash do not.
inline bool IsPlain(unsigned char c) { return c >= 0x20 && c != '"' && c != '\\'; }

// How many plain bytes `text` begins with. Looks at eight at a time.
inline size_t PlainRun(absl::string_view text) {
  constexpr uint64_t kOnes = 0x0101010101010101, kHighBits = 0x80 * kOnes;
  // Not 0 when one of the eight bytes is below `limit`.
  const auto below = [](uint64_t bytes, uint64_t limit) {
    return (bytes - limit * kOnes) & ~bytes & kHighBits;
  };
  size_t i = 0;
  for (; text.size() - i >= 8; i += 8) {
    uint64_t bytes;
    std::memcpy(&bytes, text.data() + i, sizeof bytes);
    if ((below(bytes, 0x20) | below(bytes ^ '"' * kOnes, 1) | below(bytes ^ '\\' * kOnes, 1)) != 0)
      break;
  }
  while (i < text.size() && IsPlain(text[i])) ++i;
  return i;
}

}  // namespace tipstaff::json::internal
