#include "mediator/base/utf8.h"

#include <cstring>

namespace tipstaff::base {
namespace {

constexpr uint64_t kOnes = 0x0101010101010101, kHighBits = 0x80 * kOnes;

bool IsAscii(char c) { return static_cast<uint8_t>(c) < 0x80; }

// Eight bytes at a time, as long as `stop` has no high bit set for any of them.
template <typename Stop>
size_t RunOfEights(absl::string_view text, Stop stop) {
  size_t i = 0;
  for (; text.size() - i >= 8; i += 8) {
    uint64_t bytes;
    std::memcpy(&bytes, text.data() + i, sizeof bytes);
    if ((stop(bytes) & kHighBits) != 0) break;
  }
  return i;
}

}  // namespace

size_t AsciiRun(absl::string_view text) {
  size_t i = RunOfEights(text, [](uint64_t bytes) { return bytes; });
  while (i < text.size() && IsAscii(text[i])) ++i;
  return i;
}

size_t PrintableRun(absl::string_view text) {
  // Below 0x20, from 0x80, or DEL, which one more makes 0x80.
  size_t i = RunOfEights(
      text, [](uint64_t bytes) { return (bytes - 0x20 * kOnes) | bytes | (bytes + kOnes); });
  while (i < text.size() && text[i] >= 0x20 && text[i] < 0x7f) ++i;
  return i;
}

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
    const size_t ascii = AsciiRun(text);
    count += ascii;
    text.remove_prefix(ascii);
    if (text.empty()) break;
    ++count;
    text.remove_prefix(FirstCodePoint(text).bytes);
  }
  return count;
}

bool IsUtf8(absl::string_view text) {
  for (;;) {
    text.remove_prefix(AsciiRun(text));
    if (text.empty()) return true;
    const CodePoint point = FirstCodePoint(text);
    if (!point.valid) return false;
    text.remove_prefix(point.bytes);
  }
}

std::string ReplaceNonUtf8(absl::string_view text) {
  std::string out;
  while (!text.empty()) {
    const CodePoint point = FirstCodePoint(text);
    out.append(point.valid ? text.data() : "\uFFFD", point.valid ? point.bytes : 3);
    text.remove_prefix(point.bytes);
  }
  return out;
}

absl::string_view CutUtf8(absl::string_view text, size_t bytes) {
  if (text.size() <= bytes) return text;
  size_t end = bytes;
  while (end > 0 && bytes - end < 4 && (static_cast<uint8_t>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, bytes - end < 4 ? end : bytes);
}

}  // namespace tipstaff::base
