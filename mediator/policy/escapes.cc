#include "mediator/policy/escapes.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "mediator/policy/html_references.h"
#include "mediator/policy/letters.h"

namespace tipstaff::policy::internal {
namespace {

constexpr absl::string_view kBegin = "%=&\\";
constexpr absl::string_view kSpaces = "nrtbfvae";  // after a backslash
constexpr uint32_t kNoCharacter = 0x110000;
constexpr size_t kAny = absl::string_view::npos;

bool IsHighSurrogate(uint32_t c) { return c >= 0xd800 && c <= 0xdbff; }
bool IsLowSurrogate(uint32_t c) { return c >= 0xdc00 && c <= 0xdfff; }

// One escape: so many bytes of the text stand for a byte or characters. None has no bytes.
struct Escape {
  size_t bytes = 0;
  uint32_t value = 0;
  bool is_byte = false;
  absl::string_view characters;  // instead of `value`, where they have a name
};

int DigitOf(char c, uint32_t base) {
  const unsigned char byte = static_cast<unsigned char>(c);
  if (!absl::ascii_isxdigit(byte)) return -1;
  const int digit = absl::ascii_isdigit(byte) ? c - '0' : absl::ascii_tolower(byte) - 'a' + 10;
  return digit < static_cast<int>(base) ? digit : -1;
}

struct Number {
  size_t digits = 0;
  uint32_t value = 0;  // kNoCharacter for any that is greater
};

// The digits that `text` begins with, zeros that say nothing among them.
Number ReadNumber(absl::string_view text, uint32_t base, size_t most = kAny) {
  Number number;
  for (const char c : text.substr(0, most)) {
    const int digit = DigitOf(c, base);
    if (digit < 0) break;
    number.value = std::min(number.value * base + static_cast<uint32_t>(digit), kNoCharacter);
    ++number.digits;
  }
  return number;
}

// `prefix` bytes and then exactly so many hex digits.
Escape Fixed(absl::string_view text, size_t prefix, size_t digits, bool is_byte) {
  const Number number = ReadNumber(text.substr(std::min(prefix, text.size())), 16, digits);
  if (number.digits != digits) return {};
  return {prefix + digits, number.value, is_byte, {}};
}

// `prefix` bytes, and up to so many digits.
Escape UpTo(absl::string_view text, size_t prefix, uint32_t base, size_t most, bool is_byte) {
  const Number number = ReadNumber(text.substr(prefix), base, most);
  if (number.digits == 0) return {};
  return {prefix + number.digits, is_byte ? number.value & 0xff : number.value, is_byte, {}};
}

// As `\u{41}`.
Escape Braced(absl::string_view text, uint32_t base) {
  const Escape escape = UpTo(text, 3, base, kAny, false);
  const bool ends = escape.bytes > 0 && absl::StartsWith(text.substr(escape.bytes), "}");
  return ends ? Escape{escape.bytes + 1, escape.value, false, {}} : Escape{};
}

// Browsers need no semicolon.
Escape Reference(absl::string_view text) {
  if (!absl::StartsWith(text, "&#")) {
    const HtmlReference named = ReadHtmlReference(text);
    return {named.bytes, 0, false, named.characters};
  }
  const bool hex = absl::StartsWithIgnoreCase(text, "&#x");
  Escape escape = UpTo(text, hex ? 3 : 2, hex ? 16 : 10, kAny, false);
  if (escape.bytes > 0 && absl::StartsWith(text.substr(escape.bytes), ";")) ++escape.bytes;
  return escape;
}

Escape AfterBackslash(absl::string_view text, Digited digited) {
  switch (digited) {
    case Digited::kCss: {
      Escape escape = UpTo(text, 1, 16, 6, false);
      const bool ended = escape.bytes > 0 && escape.bytes < text.size() &&
                         absl::ascii_isspace(static_cast<unsigned char>(text[escape.bytes]));
      if (ended) ++escape.bytes;
      return escape;
    }
    case Digited::kNul:
      if (absl::StartsWith(text, "\\0")) return {2, 0, true, {}};
      break;
    case Digited::kPrintf:
      if (absl::StartsWith(text, "\\0")) return UpTo(text, 1, 8, 4, true);
      break;
    case Digited::kOctal:
      break;
  }
  return UpTo(text, 1, 8, 3, true);
}

Escape OneBackslash(absl::string_view text, Digited digited) {
  if (absl::StartsWith(text, "\\x{") || absl::StartsWith(text, "\\u{")) return Braced(text, 16);
  if (absl::StartsWith(text, "\\o{")) return Braced(text, 8);
  if (absl::StartsWith(text, "\\x")) return Fixed(text, 2, 2, true);
  if (absl::StartsWith(text, "\\u")) return Fixed(text, 2, 4, false);
  if (absl::StartsWith(text, "\\U")) return Fixed(text, 2, 8, false);
  const Escape digits = AfterBackslash(text, digited);
  if (digits.bytes > 0) return digits;
  if (text.size() > 1 && absl::StrContains(kSpaces, text[1])) return {2, ' ', true, {}};
  return {};
}

size_t BackslashesOf(absl::string_view text) {
  return std::min(text.find_first_not_of('\\'), text.size());
}

Escape Backslash(absl::string_view text, Notation notation) {
  if (notation.doubled == Doubled::kEscape && absl::StartsWith(text, "\\\\")) {
    return {2, '\\', true, {}};
  }
  if (notation.doubled != Doubled::kGone) return OneBackslash(text, notation.digited);
  const size_t before = BackslashesOf(text) - 1;
  Escape escape = OneBackslash(text.substr(before), notation.digited);
  if (escape.bytes > 0) escape.bytes += before;
  return escape;
}

// The escape that `text` begins with.
Escape Read(absl::string_view text, Notation notation) {
  switch (text[0]) {
    case '=':
      return Fixed(text, 1, 2, true);
    case '%':
      return absl::StartsWith(text, "%u") ? Fixed(text, 2, 4, false) : Fixed(text, 1, 2, true);
    case '&':
      return Reference(text);
    case '\\':
      return Backslash(text, notation);
    default:
      return {};
  }
}

// Read(), where the second half of a surrogate pair comes next with that.
Escape ReadWhole(absl::string_view text, Notation notation) {
  const Escape escape = Read(text, notation);
  if (escape.bytes == 0 || escape.is_byte || !IsHighSurrogate(escape.value)) return escape;
  text.remove_prefix(escape.bytes);
  if (text.empty()) return escape;
  const Escape second = Read(text, notation);
  if (second.bytes == 0 || second.is_byte || !IsLowSurrogate(second.value)) return escape;
  return {escape.bytes + second.bytes,
          0x10000 + ((escape.value - 0xd800) << 10) + (second.value - 0xdc00),
          false,
          {}};
}

void Append(const Escape& escape, std::string& out) {
  if (escape.is_byte) {
    out += static_cast<char>(escape.value);
  } else if (!escape.characters.empty()) {
    out.append(escape.characters.data(), escape.characters.size());
  } else {
    AppendCharacter(escape.value, out);
  }
}

// Whether the languages differ on it.
bool HasDigitsAfterBackslash(absl::string_view text) {
  for (;;) {
    const size_t at = text.find('\\');
    if (at == kAny || at + 1 == text.size()) return false;
    text.remove_prefix(at + 1);
    if (DigitOf(text[0], 16) >= 0) return true;
  }
}

}  // namespace

std::string Unescaped(absl::string_view text, Notation notation) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t plain = std::min(text.find_first_of(kBegin), text.size());
    out.append(text.data(), plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const Escape escape = ReadWhole(text, notation);
    size_t bytes = escape.bytes;
    if (bytes > 0) {
      Append(escape, out);
    } else {
      // Not one backslash of many at a time: each would go through all that follow.
      const bool many = notation.doubled == Doubled::kGone && text[0] == '\\';
      bytes = many ? BackslashesOf(text) : 1;
      out.append(text.data(), bytes);
    }
    text.remove_prefix(bytes);
  }
  return out;
}

std::vector<std::string> AllUnescaped(absl::string_view text) {
  std::vector<std::string> all;
  if (text.find_first_of(kBegin) == kAny) return all;
  const bool digits_differ = HasDigitsAfterBackslash(text);
  const bool are_doubled = absl::StrContains(text, "\\\\");
  for (const Notation notation : kEveryNotation) {
    if (notation.digited != Digited::kOctal && !digits_differ) continue;
    if (notation.doubled != Doubled::kApart && !are_doubled) continue;
    std::string one = Unescaped(text, notation);
    if (one != text && std::find(all.begin(), all.end(), one) == all.end()) {
      all.push_back(std::move(one));
    }
  }
  return all;
}

}  // namespace tipstaff::policy::internal
