#include "mediator/policy/decoded_text.h"

#include <unistr.h>

#include <algorithm>

#include "mediator/policy/letters.h"

namespace tipstaff::policy::internal {
namespace {

// Random bytes that are read as UTF-16 have a character of ASCII in every 350th place.
constexpr size_t kNear = 2 * 64;   // bytes
constexpr size_t kLeastAscii = 3;  // as in `%41`

void AppendCharacter(uint32_t c, std::string& out) {
  uint8_t bytes[6];
  const int size = u8_uctomb(bytes, c, sizeof bytes);
  if (size > 0) out.append(reinterpret_cast<const char*>(bytes), size);
}

// Whether the character is one that stands for a byte in a text that is none.
bool IsByteOfNoText(uint32_t c) {
  return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7f && c <= 0xff);
}

}  // namespace

bool AnyUtf8(absl::string_view bytes, LookAtText look) {
  std::string stretch;
  int bad_in_a_row = 0;
  while (!bytes.empty()) {
    const base::CodePoint point = NextCodePoint(bytes);
    if (point.valid) {
      bad_in_a_row = 0;
      if (point.value != 0) stretch.append(bytes.data(), point.bytes);
    } else if (++bad_in_a_row == 2) {
      if (!stretch.empty() && look(stretch)) return true;
      stretch.clear();
    }
    bytes.remove_prefix(point.bytes);
  }
  return !stretch.empty() && look(stretch);
}

void AsciiParts::Add(size_t at) {
  if (parts_.empty() || at - parts_.back().last > kNear) {
    // What came before stays only where it is worth a look.
    if (!parts_.empty() && parts_.back().count < kLeastAscii) parts_.pop_back();
    parts_.push_back({at, at, 0});
  }
  parts_.back().last = at;
  ++parts_.back().count;
}

bool AsciiParts::Any(LookAtText look) const {
  for (const Part& part : parts_) {
    if (part.count < kLeastAscii) continue;
    const size_t from = part.first - std::min(part.first, kNear);
    std::string text;
    Utf16 all(bytes_.substr(from, part.last + kNear - from), big_endian_);
    while (!all.done()) AppendCharacter(all.Next(), text);
    if (look(text)) return true;
  }
  return false;
}

std::string CharactersAsBytes(absl::string_view text) {
  std::string bytes;
  bool any = false;
  while (!text.empty()) {
    const base::CodePoint point = NextCodePoint(text);
    text.remove_prefix(point.bytes);
    if (point.value > 0xff) continue;
    bytes += static_cast<char>(point.value);
    any = any || IsByteOfNoText(point.value);
  }
  return any ? bytes : "";
}

}  // namespace tipstaff::policy::internal
