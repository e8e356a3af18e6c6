#include "tests/reference/canary.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "mediator/base/utf8.h"
#include "mediator/json/write.h"
#include "tests/reference/texts.h"
#include "tests/reference/values.h"

namespace tipstaff::reference {
namespace {

constexpr int kLevels = 3;
// Less cannot be a planted text.
constexpr size_t kLeast = 8;

// In Letters(): a character of which nobody here knows what letters it is made of, if any.
constexpr char kUnknown = '?';
constexpr int kMostUnknown = 2;   // in one planted text
constexpr size_t kMostOfOne = 3;  // letters that one may stand for

bool IsNoLetter(char32_t c) {
  return c <= 0xa0 || (c >= 0x2000 && c < 0x2070) || c == 0xfeff || c == 0x1f600;
}

// Letters and digits in lower case, and what may be some.
std::string Letters(absl::string_view text) {
  std::string letters;
  while (!text.empty()) {
    const base::CodePoint point = base::FirstCodePoint(text);
    text.remove_prefix(point.bytes);
    if (!point.valid) continue;
    const char32_t c = point.value == 0xe9 ? U'e' : Narrow(point.value);
    if (c < 0x80) {
      const unsigned char ascii = static_cast<unsigned char>(c);
      if (absl::ascii_isalnum(ascii)) letters += absl::ascii_tolower(ascii);
    } else if (!IsNoLetter(c)) {
      letters += kUnknown;
    }
  }
  return letters;
}

// Whether `letters` may begin with `wanted`.
bool MayBegin(absl::string_view letters, absl::string_view wanted, int most_unknown) {
  if (wanted.empty()) return true;
  if (letters.empty()) return false;
  if (letters[0] != kUnknown) {
    return letters[0] == wanted[0] && MayBegin(letters.substr(1), wanted.substr(1), most_unknown);
  }
  for (size_t made_of = 0; most_unknown > 0 && made_of <= kMostOfOne; ++made_of) {
    if (made_of > wanted.size()) break;
    if (MayBegin(letters.substr(1), wanted.substr(made_of), most_unknown - 1)) return true;
  }
  return false;
}

Carries Holds(absl::string_view letters, absl::string_view wanted) {
  if (absl::StrContains(letters, wanted)) return Carries::kYes;
  if (!absl::StrContains(letters, kUnknown)) return Carries::kNo;
  for (; !letters.empty(); letters.remove_prefix(1)) {
    if (MayBegin(letters, wanted, kMostUnknown)) return Carries::kPerhaps;
  }
  return Carries::kNo;
}

// Of UTF-8: with its characters in the opposite order.
std::string Backwards(absl::string_view text) {
  std::string out;
  while (!text.empty()) {
    size_t bytes = 1;
    while (bytes < text.size() && (text[bytes] & 0xc0) == 0x80) ++bytes;
    out.insert(0, std::string(text.substr(0, bytes)));
    text.remove_prefix(bytes);
  }
  return out;
}

std::string Utf8(uint32_t c) {
  const auto last = [c](int shift) { return static_cast<char>(0x80 | ((c >> shift) & 0x3f)); };
  if (c < 0x80) return std::string(1, static_cast<char>(c));
  if (c < 0x800) return {static_cast<char>(0xc0 | (c >> 6)), last(0)};
  if (c >= 0xd800 && c < 0xe000) return "";
  if (c < 0x10000) return {static_cast<char>(0xe0 | (c >> 12)), last(6), last(0)};
  if (c > 0x10ffff) return "";
  return {static_cast<char>(0xf0 | (c >> 18)), last(12), last(6), last(0)};
}

int DigitOf(char c) {
  const char lower = absl::ascii_tolower(static_cast<unsigned char>(c));
  if (lower >= '0' && lower <= '9') return lower - '0';
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Reads at most `most` digits of the base and takes them off `text`.
std::optional<uint32_t> TakeNumber(absl::string_view& text, int base, size_t most) {
  uint32_t number = 0;
  size_t digits = 0;
  for (; digits < most && digits < text.size(); ++digits) {
    const int digit = DigitOf(text[digits]);
    if (digit < 0 || digit >= base) break;
    number = std::min<uint32_t>(number * base + digit, 0x110000);
  }
  if (digits == 0) return std::nullopt;
  text.remove_prefix(digits);
  return number;
}

// Who reads a backslash before digits.
enum class Reader { kC, kJavaScript, kShell, kStyleSheet };

// A backslash and digits, as `reader` has them. `rest` is behind the backslash.
std::optional<std::string> TakeAfterBackslash(absl::string_view& rest, Reader reader) {
  if (reader == Reader::kStyleSheet) {
    const auto c = TakeNumber(rest, 16, 6);
    if (!c.has_value()) return std::nullopt;
    if (!rest.empty() && absl::ascii_isspace(static_cast<unsigned char>(rest[0]))) {
      rest.remove_prefix(1);
    }
    return Utf8(*c);
  }
  const bool zero = absl::StartsWith(rest, "0");
  const size_t most = !zero || reader == Reader::kC ? 3 : reader == Reader::kShell ? 4 : 1;
  const auto byte = TakeNumber(rest, 8, most);
  if (!byte.has_value()) return std::nullopt;
  return std::string(1, static_cast<char>(*byte));
}

// A few of HTML's names; those that need no semicolon are without one.
std::optional<std::string> TakeName(absl::string_view& rest) {
  constexpr std::pair<absl::string_view, absl::string_view> kNames[] = {
      {"amp;", "&"},        {"amp", "&"},    {"nbsp;", "\xc2\xa0"},
      {"nbsp", "\xc2\xa0"}, {"num;", "#"},   {"hyphen;", "\xe2\x80\x90"},
      {"lt;", "<"},         {"lt", "<"},     {"semi;", ";"},
      {"percnt;", "%"},     {"bsol;", "\\"}, {"eacute;", "\xc3\xa9"}};
  for (const auto& [name, characters] : kNames) {
    if (absl::ConsumePrefix(&rest, name)) return std::string(characters);
  }
  return std::nullopt;
}

// What stands for the escape that `text` begins with, which is taken off; nothing where it begins
// with none.
std::optional<std::string> TakeEscape(absl::string_view& text, Reader reader,
                                      bool pairs_are_quoted) {
  absl::string_view rest = text;
  const auto begins = [&](absl::string_view with) {
    if (!absl::StartsWith(text, with)) return false;
    rest = text.substr(with.size());
    return true;
  };
  const auto exactly = [&](size_t digits) {
    const size_t before = rest.size();
    const std::optional<uint32_t> number = TakeNumber(rest, 16, digits);
    return before - rest.size() == digits ? number : std::nullopt;
  };
  constexpr size_t kAny = absl::string_view::npos;
  std::optional<std::string> out;
  if (const bool octal = begins("\\o{"); octal || begins("\\u{") || begins("\\x{")) {
    const auto c = TakeNumber(rest, octal ? 8 : 16, kAny);
    if (c.has_value() && absl::ConsumePrefix(&rest, "}")) out = Utf8(*c);
  } else if ((begins("%") && !absl::StartsWith(text, "%u")) || begins("=") || begins("\\x")) {
    if (const auto byte = exactly(2)) out = std::string(1, static_cast<char>(*byte));
  } else if (begins("\\u") || begins("%u")) {
    auto c = exactly(4);
    if (c.has_value() && (*c >> 10) == 0x36) {  // the first half of a pair
      absl::string_view second = rest;
      while (pairs_are_quoted && absl::StartsWith(second, "\\\\")) second.remove_prefix(1);
      const size_t before = second.size();
      const bool again = absl::ConsumePrefix(&second, text.substr(0, 2));
      const auto low = again ? TakeNumber(second, 16, 4) : std::nullopt;
      if (low.has_value() && (*low >> 10) == 0x37 && before - second.size() == 6) {
        rest = second;
        c = 0x10000 + ((*c & 0x3ff) << 10) + (*low & 0x3ff);
      }
    }
    if (c.has_value()) out = Utf8(*c);
  } else if (begins("\\U")) {
    if (const auto c = exactly(8)) out = Utf8(*c);
  } else if (const bool hex = begins("&#x") || begins("&#X"); hex || begins("&#")) {
    const auto c = TakeNumber(rest, hex ? 16 : 10, kAny);
    if (c.has_value()) out = Utf8(*c);
    if (c.has_value()) absl::ConsumePrefix(&rest, ";");
  } else if (begins("&")) {
    out = TakeName(rest);
  } else if (begins("\\")) {
    out = TakeAfterBackslash(rest, reader);
    if (!out.has_value() && !rest.empty() && absl::StrContains("nrtbfvae", rest[0])) {
      rest.remove_prefix(1);
      out = " ";
    }
  }
  if (out.has_value()) text = rest;
  return out;
}

// Who reads several backslashes: as one each, two as one, or all before an escape as one with it.
enum class Backslashes { kEach, kTwo, kAll };

std::string Unescaped(absl::string_view text, Reader reader, Backslashes backslashes) {
  std::string out;
  while (!text.empty()) {
    absl::string_view at = text;
    while (backslashes == Backslashes::kAll && absl::StartsWith(at, "\\\\")) at.remove_prefix(1);
    if (backslashes == Backslashes::kTwo && absl::ConsumePrefix(&text, "\\\\")) {
      out += '\\';
    } else if (const std::optional<std::string> escaped =
                   TakeEscape(at, reader, backslashes == Backslashes::kAll)) {
      out += *escaped;
      text = at;
    } else {
      out += text[0];
      text.remove_prefix(1);
    }
  }
  return out;
}

// What `text` may be with escapes, as each reader has it. They differ on backslashes alone.
std::set<std::string> AllUnescaped(const std::string& text) {
  std::set<std::string> all = {Unescaped(text, Reader::kC, Backslashes::kEach)};
  if (absl::StrContains(text, '\\')) {
    for (const Reader reader : {Reader::kJavaScript, Reader::kShell, Reader::kStyleSheet}) {
      all.insert(Unescaped(text, reader, Backslashes::kEach));
    }
    for (const Backslashes backslashes : {Backslashes::kTwo, Backslashes::kAll}) {
      all.insert(Unescaped(text, Reader::kC, backslashes));
    }
  }
  all.erase(text);
  return all;
}

int Base64DigitOf(char c) {
  constexpr absl::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (c == '-' || c == '_') return c == '-' ? 62 : 63;
  const size_t at = kDigits.find(c);
  return at == absl::string_view::npos ? -1 : static_cast<int>(at);
}

// The bytes that the digits say, of so many bits each, from the digit `first` on.
std::string Decoded(const std::vector<int>& digits, size_t first, int bits) {
  std::string bytes;
  uint32_t kept = 0;
  int have = 0;
  for (size_t i = first; i < digits.size(); ++i) {
    kept = (kept << bits) | static_cast<uint32_t>(digits[i]);
    have += bits;
    if (have < 8) continue;
    have -= 8;
    bytes += static_cast<char>(kept >> have);
    kept &= (1u << have) - 1;
  }
  return bytes;
}

using Digits = std::vector<int>;

// Hex digits, whatever stands between; `0x` is no digit, or one and a letter.
void AddHex(const std::u32string& text, std::set<Digits>& out) {
  for (const bool prefixes : {false, true}) {
    Digits digits;
    char32_t before = 0;  // of letters, digits and signs of base64
    bool after_prefix = false;
    for (const char32_t c : text) {
      if (c >= 0x80 || Base64DigitOf(static_cast<char>(c)) < 0) continue;
      if (const int digit = DigitOf(static_cast<char>(c)); digit >= 0) {
        if (after_prefix) digits.pop_back();
        digits.push_back(digit);
      }
      after_prefix = prefixes && (c == 'x' || c == 'X') && before == '0';
      before = c;
    }
    out.insert(digits);
  }
}

// Digits of base64, whatever stands between: both alphabets' or one's, or what both have.
void AddBase64(const std::u32string& text, std::set<Digits>& out) {
  for (const absl::string_view none : {"", "+/", "-_", "+/-_"}) {
    Digits digits;
    for (const char32_t c : text) {
      if (c >= 0x80 || absl::StrContains(none, static_cast<char>(c))) continue;
      const int digit = Base64DigitOf(static_cast<char>(c));
      if (digit >= 0) digits.push_back(digit);
    }
    out.insert(digits);
  }
}

// Everything that the text may be an encoding of in hex or base64. What is as wide as a line of
// Chinese is a digit, or stands between some.
std::vector<std::string> AllDecoded(const std::string& text) {
  std::u32string as_it_is, narrow;
  for (const char32_t c : CodePoints(text)) {
    as_it_is += c;
    narrow += Narrow(c);
  }
  std::set<Digits> hex, base64;
  for (const std::u32string& one : {as_it_is, narrow}) {
    AddHex(one, hex);
    AddBase64(one, base64);
  }
  std::vector<std::string> out;
  for (const Digits& digits : hex) {
    for (const size_t first : {0, 1}) out.push_back(Decoded(digits, first, 4));
  }
  for (const Digits& digits : base64) {
    for (const size_t first : {0, 1, 2, 3}) out.push_back(Decoded(digits, first, 6));
  }
  return out;
}

std::string FromUtf16(absl::string_view bytes, bool big_endian) {
  std::string out;
  uint32_t half = 0;
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const uint32_t first = static_cast<uint8_t>(bytes[i]);
    const uint32_t second = static_cast<uint8_t>(bytes[i + 1]);
    const uint32_t unit = big_endian ? first << 8 | second : second << 8 | first;
    const bool low = (unit >> 10) == 0x37;
    out += half != 0 && low ? Utf8(0x10000 + ((half & 0x3ff) << 10) + (unit & 0x3ff)) : Utf8(unit);
    half = (unit >> 10) == 0x36 ? unit : 0;
  }
  return out;
}

// What bytes may say: UTF-8, with single bytes in it that are none, and UTF-16.
std::vector<std::string> TextsIn(absl::string_view bytes) {
  std::vector<std::string> out(1);
  int bad = 0;
  for (absl::string_view rest = bytes; !rest.empty();) {
    const base::CodePoint point = base::FirstCodePoint(rest);
    bad = point.valid ? 0 : bad + 1;
    if (bad == 2) out.emplace_back();
    if (point.valid && point.value != 0) out.back() += std::string(rest.substr(0, point.bytes));
    rest.remove_prefix(point.bytes);
  }
  for (const size_t first : {0, 1}) {
    for (const bool big_endian : {false, true}) {
      if (first < bytes.size()) out.push_back(FromUtf16(bytes.substr(first), big_endian));
    }
  }
  return out;
}

// Characters that stand for bytes, where some stand for nothing else.
std::string AsBytes(const std::string& text) {
  std::string bytes;
  bool any = false;
  for (absl::string_view rest = text; !rest.empty();) {
    const base::CodePoint point = base::FirstCodePoint(rest);
    rest.remove_prefix(point.bytes);
    if (point.value >= 0x100) continue;
    bytes += static_cast<char>(point.value);
    const bool space = point.value == '\t' || point.value == '\n' || point.value == '\r';
    any = any || (point.value < 0x20 && !space) || point.value >= 0x7f;
  }
  return any ? bytes : "";
}

// Bytes that are no UTF-8, where there are any, as characters.
std::string AsLatin1(const std::string& bytes) {
  std::string text;
  for (absl::string_view rest = bytes; !rest.empty();) {
    const base::CodePoint point = base::FirstCodePoint(rest);
    text += Utf8(point.value);
    rest.remove_prefix(point.bytes);
  }
  return text == bytes ? "" : text;
}

std::string InNarrow(const std::string& text) {
  std::string out;
  for (absl::string_view rest = text; !rest.empty();) {
    const base::CodePoint point = base::FirstCodePoint(rest);
    const std::string own(rest.substr(0, point.bytes));
    const char32_t narrow = Narrow(point.value);
    out += point.valid && narrow != point.value ? Utf8(narrow) : own;
    rest.remove_prefix(point.bytes);
  }
  return out;
}

class Looking {
 public:
  explicit Looking(const std::vector<std::string>& canaries) {
    for (const std::string& canary : canaries) {
      wanted_.push_back(Letters(canary));
      wanted_.push_back(Backwards(wanted_.back()));
    }
  }

  Carries In(absl::string_view text) const {
    return std::max(InArgument(std::string(text)), InArgument(Backwards(text)));
  }

 private:
  Carries In(const std::string& text, int levels) const {
    const std::string letters = Letters(text);
    Carries carries = Carries::kNo;
    for (const std::string& one : wanted_) carries = std::max(carries, Holds(letters, one));
    if (levels == 0 || carries == Carries::kYes) return carries;
    for (const std::string& plain : AllUnescaped(InNarrow(text))) {
      carries = std::max({carries, InBytes(plain, levels - 1), InBytes(AsBytes(plain), levels - 1),
                          In(AsLatin1(plain), 0)});
    }
    for (const std::string& bytes : AllDecoded(text)) {
      if (carries == Carries::kYes) break;
      carries = std::max(carries, InBytes(bytes, levels - 1));
    }
    return carries;
  }

  Carries InArgument(const std::string& text) const {
    return std::max(In(text, kLevels), InBytes(AsBytes(text), kLevels));
  }

  Carries InBytes(const std::string& bytes, int levels) const {
    Carries carries = Carries::kNo;
    if (bytes.size() < kLeast) return carries;
    for (const std::string& text : TextsIn(bytes)) carries = std::max(carries, In(text, levels));
    return carries;
  }

  std::vector<std::string> wanted_;
};

// Texts and numbers in the order in which they stand, and names.
void Collect(json::Value value, std::vector<std::string>& values, std::vector<std::string>& names) {
  if (value.is_string()) values.emplace_back(value.string());
  if (value.is_number()) values.push_back(json::Canonical(value));
  for (json::Value item : value.items()) Collect(item, values, names);
  for (const json::Member& member : value.members()) {
    names.emplace_back(member.key);
    Collect(member.value, values, names);
  }
}

}  // namespace

Carries CarriesOut(const std::vector<std::string>& canaries, json::Value arguments) {
  const Looking looking(canaries);
  std::vector<std::string> texts, names;
  Collect(arguments, texts, names);
  std::string together;
  for (const std::string& text : texts) together += text;
  texts.insert(texts.end(), names.begin(), names.end());
  texts.push_back(together);
  Carries carries = Carries::kNo;
  for (const std::string& text : texts) carries = std::max(carries, looking.In(text));
  return carries;
}

}  // namespace tipstaff::reference
