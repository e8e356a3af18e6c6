#include "stubs/engine/utf8.h"

#include <cstdint>
#include <cstring>

#include "mediator/source/utf8.h"

namespace tipstaff::engine {
namespace {

bool StartsWithEightAscii(absl::string_view text) {
  if (text.size() < 8) return false;
  uint64_t bytes;
  std::memcpy(&bytes, text.data(), sizeof bytes);
  return (bytes & 0x8080808080808080) == 0;
}

}  // namespace

bool IsUtf8(absl::string_view text) {
  while (!text.empty()) {
    if (StartsWithEightAscii(text)) {
      text.remove_prefix(8);
      continue;
    }
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
