#include "mediator/policy/escapes.h"

#include <unistr.h>

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"

namespace tipstaff::policy::internal {
namespace {

constexpr absl::string_view kBegin = "%=&\\";
constexpr size_t kLongestReference = 32;  // of HTML, with zeros that say nothing

bool IsHighSurrogate(uint32_t c) { return c >= 0xd800 && c <= 0xdbff; }
bool IsLowSurrogate(uint32_t c) { return c >= 0xdc00 && c <= 0xdfff; }

// One escape: so many bytes of the text stand for a byte or a character. None has no bytes.
struct Escape {
  size_t bytes = 0;
  uint32_t value = 0;
  bool is_byte = false;
};

bool AreDigits(absl::string_view text, bool hex) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [hex](unsigned char c) {
    return hex ? absl::ascii_isxdigit(c) : absl::ascii_isdigit(c);
  });
}

// `prefix` bytes and then exactly so many hex digits.
Escape Fixed(absl::string_view text, size_t prefix, size_t digits, bool is_byte) {
  const absl::string_view number = text.substr(std::min(prefix, text.size()), digits);
  Escape escape{.is_byte = is_byte};
  // Numbers to Abseil may have signs, spaces and `0x`.
  if (number.size() == digits && AreDigits(number, /*hex=*/true) &&
      absl::SimpleHexAtoi(number, &escape.value)) {
    escape.bytes = prefix + digits;
  }
  return escape;
}

// `prefix` bytes, digits and `end`.
Escape Ended(absl::string_view text, size_t prefix, bool hex, char end) {
  const absl::string_view near = text.substr(0, kLongestReference);
  const size_t at = near.find(end, prefix);
  if (at == absl::string_view::npos) return {};
  const absl::string_view number = near.substr(prefix, at - prefix);
  Escape escape;
  const bool read = AreDigits(number, hex) && (hex ? absl::SimpleHexAtoi(number, &escape.value)
                                                   : absl::SimpleAtoi(number, &escape.value));
  escape.bytes = read ? at + 1 : 0;
  return escape;
}

// The escape that `text` begins with.
Escape Read(absl::string_view text) {
  switch (text[0]) {
    case '=':
      return Fixed(text, 1, 2, true);
    case '%':
      return absl::StartsWith(text, "%u") ? Fixed(text, 2, 4, false) : Fixed(text, 1, 2, true);
    case '&':
      if (!absl::StartsWith(text, "&#")) return {};
      return absl::StartsWithIgnoreCase(text, "&#x") ? Ended(text, 3, true, ';')
                                                     : Ended(text, 2, false, ';');
    case '\\':
      if (absl::StartsWith(text, "\\x")) return Fixed(text, 2, 2, true);
      if (absl::StartsWith(text, "\\u{")) return Ended(text, 3, true, '}');
      if (absl::StartsWith(text, "\\u")) return Fixed(text, 2, 4, false);
      if (absl::StartsWith(text, "\\U")) return Fixed(text, 2, 8, false);
      if (text.size() > 1 && absl::StrContains("nrtbf", text.substr(1, 1))) return {2, ' ', true};
      return {};
    default:
      return {};
  }
}

// Read(), where the second half of a surrogate pair comes next with that.
Escape ReadWhole(absl::string_view text) {
  Escape escape = Read(text);
  if (escape.bytes == 0 || escape.is_byte || !IsHighSurrogate(escape.value)) return escape;
  text.remove_prefix(escape.bytes);
  if (text.empty()) return escape;
  const Escape second = Read(text);
  if (second.bytes == 0 || second.is_byte || !IsLowSurrogate(second.value)) return escape;
  return {escape.bytes + second.bytes,
          0x10000 + ((escape.value - 0xd800) << 10) + (second.value - 0xdc00), false};
}

void AppendCharacter(uint32_t c, std::string& out) {
  uint8_t bytes[6];
  const int size = u8_uctomb(bytes, c, sizeof bytes);
  if (size > 0) out.append(reinterpret_cast<const char*>(bytes), size);
}

}  // namespace

std::string Unescaped(absl::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t plain = std::min(text.find_first_of(kBegin), text.size());
    out.append(text.data(), plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const Escape escape = ReadWhole(text);
    if (escape.bytes == 0) {
      out += text[0];
    } else if (escape.is_byte) {
      out += static_cast<char>(escape.value);
    } else {
      AppendCharacter(escape.value, out);
    }
    text.remove_prefix(std::max<size_t>(escape.bytes, 1));
  }
  return out;
}

}  // namespace tipstaff::policy::internal
