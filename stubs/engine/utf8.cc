#include "stubs/engine/utf8.h"

#include <cstdint>

#include "mediator/source/utf8.h"

namespace tipstaff::engine {

bool IsUtf8(absl::string_view text) {
  while (!text.empty()) {
    if (static_cast<uint8_t>(text[0]) < 0x80) {
      text.remove_prefix(1);
      continue;
    }
    const source::CodePoint point = source::FirstCodePoint(text);
    if (!point.valid) return false;
    text.remove_prefix(point.bytes);
  }
  return true;
}

absl::string_view CutUtf8(absl::string_view text, size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<uint8_t>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

}  // namespace tipstaff::engine
