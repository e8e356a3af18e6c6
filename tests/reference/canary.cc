#include "tests/reference/canary.h"

#include <algorithm>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "mediator/base/utf8.h"
#include "mediator/json/write.h"
#include "tests/reference/texts.h"

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

// What stands for the escape that `text` begins with, which is taken off; nothing where it begins
// with none.
std::optional<std::string> TakeEscape(absl::string_view& text) {
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
  std::optional<std::string> out;
  if (begins("%") || begins("=") || begins("\\x")) {
    if (const auto byte = exactly(2)) out = std::string(1, static_cast<char>(*byte));
  } else if (begins("\\u")) {
    if (const auto c = exactly(4)) out = Utf8(*c);
  } else if (const bool hex = begins("&#x") || begins("&#X"); hex || begins("&#")) {
    const auto c = TakeNumber(rest, hex ? 16 : 10, 20);
    if (c.has_value() && absl::StartsWith(rest, ";")) {
      rest.remove_prefix(1);
      out = Utf8(*c);
    }
  } else if (begins("\\n") || begins("\\r") || begins("\\t") || begins("\\b") || begins("\\f")) {
    out = " ";
  }
  if (out.has_value()) text = rest;
  return out;
}

std::string Unescaped(absl::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (const std::optional<std::string> escaped = TakeEscape(text)) {
      out += *escaped;
    } else {
      out += text[0];
      text.remove_prefix(1);
    }
  }
  return out;
}

// Adds the bytes that the digits say, of so many bits each, from the digit `first`. Zeros are left
// out: they are the other half of UTF-16.
void AddDecoded(const std::vector<int>& digits, size_t first, int bits,
                std::vector<std::string>& out) {
  std::string bytes;
  uint32_t kept = 0;
  int have = 0;
  for (size_t i = first; i < digits.size(); ++i) {
    kept = (kept << bits) | static_cast<uint32_t>(digits[i]);
    have += bits;
    if (have < 8) continue;
    have -= 8;
    const char byte = static_cast<char>(kept >> have);
    if (byte != 0) bytes += byte;
    kept &= (1u << have) - 1;
  }
  if (bytes.size() >= kLeast) out.push_back(std::move(bytes));
}

// Hex digits with anything between them but letters; `0x` is no digit.
void AddHex(absl::string_view text, std::vector<std::string>& out) {
  std::vector<int> digits;
  const auto end_run = [&] {
    for (const size_t first : {0, 1}) AddDecoded(digits, first, 4, out);
    digits.clear();
  };
  for (const char c : text) {
    if (DigitOf(c) >= 0) {
      digits.push_back(DigitOf(c));
    } else if ((c == 'x' || c == 'X') && !digits.empty() && digits.back() == 0) {
      digits.pop_back();
    } else if (absl::ascii_isalpha(static_cast<unsigned char>(c))) {
      end_run();
    }
  }
  end_run();
}

int Base64DigitOf(char c) {
  constexpr absl::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (c == '-' || c == '_') return c == '-' ? 62 : 63;
  const size_t at = kDigits.find(c);
  return at == absl::string_view::npos ? -1 : static_cast<int>(at);
}

// Letters of base64 with nothing but white space between them, from where a group may begin.
void AddBase64(absl::string_view text, std::vector<std::string>& out) {
  std::vector<int> digits;
  const auto end_run = [&] {
    for (const size_t first : {0, 1, 2, 3}) AddDecoded(digits, first, 6, out);
    digits.clear();
  };
  for (const char c : text) {
    if (Base64DigitOf(c) >= 0) {
      digits.push_back(Base64DigitOf(c));
    } else if (!absl::ascii_isspace(static_cast<unsigned char>(c))) {
      end_run();
    }
  }
  end_run();
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
    return std::max(In(std::string(text), kLevels), In(Backwards(text), kLevels));
  }

 private:
  Carries In(const std::string& text, int levels) const {
    const std::string letters = Letters(text);
    Carries carries = Carries::kNo;
    for (const std::string& one : wanted_) carries = std::max(carries, Holds(letters, one));
    if (levels == 0) return carries;
    std::vector<std::string> decoded;
    if (std::string plain = Unescaped(text); plain != text) decoded.push_back(std::move(plain));
    AddHex(text, decoded);
    AddBase64(text, decoded);
    for (const std::string& one : decoded) {
      if (carries == Carries::kYes) break;
      carries = std::max(carries, In(one, levels - 1));
    }
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
