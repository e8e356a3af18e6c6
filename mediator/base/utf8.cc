#include "mediator/base/utf8.h"

#include <cstring>

namespace tipstaff::base {
namespace {

bool StartsWithEightAscii(absl::string_view text) {
  if (text.size() < 8) return false;
  uint64_t bytes;
  std::memcpy(&bytes, text.data(), sizeof bytes);
  return (bytes & 0x8080808080808080) == 0;
}

}  // namespace

CodePoint FirstCodePoint(absl::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const CodePoint invalid{lead, 1, false};
  const int bytes = lead >= 0xF5 ? 0 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (bytes == 0 || text.size() < static_cast<size_t>(bytes)) return invalid;
  uint32_t value = lead & (0xFF >> (bytes + 1));
  for (int i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return invalid;
    value = value << 6 | (byte(i) & 0x3F);
  }
  static constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kSmallest[bytes] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
    return invalid;
  }
  return {value, bytes, true};
}

size_t CountCodePoints(absl::string_view text) {
  size_t count = 0;
  while (!text.empty()) {
    const bool eight = StartsWithEightAscii(text);
    count += eight ? 8 : 1;
    text.remove_prefix(eight ? 8 : FirstCodePoint(text).bytes);
  }
  return count;
}

bool IsUtf8(absl::string_view text) {
  while (!text.empty()) {
    if (StartsWithEightAscii(text)) {
      text.remove_prefix(8);
      continue;
    }
    const CodePoint point = FirstCodePoint(text);
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

}  // namespace tipstaff::base
