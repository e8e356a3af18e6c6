#include "mediator/schema/host_name.h"

#include <idn2.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "mediator/base/utf8.h"

namespace tipstaff::schema {
namespace {

constexpr size_t kMaxLabel = 63;
constexpr size_t kMaxName = 253;
constexpr size_t kMaxLabelUtf8 = 4 * kMaxLabel;  // what libidn2 is given at most
constexpr size_t kMaxNameUtf8 = 4 * kMaxName;

bool IsAscii(absl::string_view text) {
  return std::all_of(text.begin(), text.end(), absl::ascii_isascii);
}

template <typename Predicate>
bool AnyCodePoint(absl::string_view text, Predicate predicate) {
  for (size_t i = 0; i < text.size();) {
    const base::CodePoint point = base::FirstCodePoint(text.substr(i));
    if (predicate(point.value)) return true;
    i += point.bytes;
  }
  return false;
}

bool IsDeviation(uint32_t c) { return c == 0xdf || c == 0x3c2 || c == 0x200c || c == 0x200d; }

// The blocks of right-to-left scripts: IDNA2008 lets no right-to-left character in from elsewhere.
bool IsRightToLeft(uint32_t c) {
  return (c >= 0x590 && c <= 0x8ff) || (c >= 0xfb1d && c <= 0xfdff) ||
         (c >= 0xfe70 && c <= 0xfeff) || (c >= 0x10800 && c <= 0x10fff) ||
         (c >= 0x1e800 && c <= 0x1efff);
}

// Letters of no direction that IDNA2008 lets begin a label (Unicode 14: Bidi_Class ON, PVALID).
bool IsNeutralLetter(uint32_t c) {
  return (c >= 0x2b9 && c <= 0x2ba) || (c >= 0x2c6 && c <= 0x2cf) || c == 0x2ec || c == 0x2e2f ||
         c == 0x30fb || c == 0xa67f || (c >= 0xa717 && c <= 0xa71f) || c == 0xa788;
}

// RFC 5893, section 2, rule 4, which libidn2 2.3 does not check: European and Arabic digits in one
// right-to-left label.
bool MixesDigits(absl::string_view label) {
  const bool european = AnyCodePoint(
      label, [](uint32_t c) { return (c >= '0' && c <= '9') || (c >= 0x6f0 && c <= 0x6f9); });
  const bool arabic = AnyCodePoint(label, [](uint32_t c) {
    return (c >= 0x660 && c <= 0x669) || (c >= 0x10d30 && c <= 0x10d39) ||
           (c >= 0x10e60 && c <= 0x10e7e);
  });
  return european && arabic && AnyCodePoint(label, IsRightToLeft);
}

// RFC 5893 judges all labels of a name in which one is right-to-left; libidn2 has judged that one.
// The others may be left-to-right, and must begin with a letter then.
bool BeginsLeftToRight(absl::string_view label) {
  if (absl::ascii_isascii(label[0])) return absl::ascii_isalpha(label[0]);
  return !IsNeutralLetter(base::FirstCodePoint(label).value);
}

struct Label {
  std::string ascii;
  std::string unicode;  // as given, where it is ASCII and no A-label
};

std::string Take(uint8_t* from_libidn2) {
  std::string text = from_libidn2 ? reinterpret_cast<const char*>(from_libidn2) : "";
  idn2_free(from_libidn2);
  return text;
}

const uint8_t* Bytes(const std::string& text) {
  return reinterpret_cast<const uint8_t*>(text.c_str());
}

std::optional<Label> FromUnicode(absl::string_view label, const HostNameRules& rules) {
  if (!rules.international || label.size() > kMaxLabelUtf8) return std::nullopt;
  if (!rules.deviations && AnyCodePoint(label, IsDeviation)) return std::nullopt;
  if (MixesDigits(label)) return std::nullopt;
  const std::string text(label);
  uint8_t* ascii = nullptr;
  // "Register" judges the context of middle dots and the like, which "lookup" leaves out.
  const int flags = IDN2_NO_TR46 | (rules.normalize ? IDN2_NFC_INPUT : 0);
  if (idn2_register_u8(Bytes(text), nullptr, &ascii, flags) != IDN2_OK) return std::nullopt;
  return Label{Take(ascii), text};
}

std::optional<Label> FromALabel(const std::string& label) {
  uint8_t* ascii = nullptr;
  if (idn2_register_u8(nullptr, Bytes(label), &ascii, IDN2_NO_TR46) != IDN2_OK) return std::nullopt;
  if (Take(ascii) != label) return std::nullopt;
  uint8_t* unicode = nullptr;
  if (idn2_to_unicode_8z8z(label.c_str(), reinterpret_cast<char**>(&unicode), 0) != IDN2_OK) {
    return std::nullopt;
  }
  Label both{label, Take(unicode)};
  if (MixesDigits(both.unicode)) return std::nullopt;
  return both;
}

std::optional<Label> FromAscii(absl::string_view label, const HostNameRules& rules) {
  if (label.size() > kMaxLabel || label.front() == '-' || label.back() == '-') return std::nullopt;
  for (const char c : label) {
    if (!absl::ascii_isalnum(c) && c != '-') return std::nullopt;
  }
  const std::string lower = absl::AsciiStrToLower(label);
  if (absl::StartsWith(lower, "xn--")) return FromALabel(lower);
  if (!rules.reserved_labels && lower.size() >= 4 && lower.substr(2, 2) == "--") {
    return std::nullopt;
  }
  return Label{lower, lower};
}

// Bytes of the separator at `text`'s start, 0 when there is none.
size_t SeparatorAt(absl::string_view text, const HostNameRules& rules) {
  if (text[0] == '.') return 1;
  if (!rules.ideographic_dots) return 0;
  for (const absl::string_view dot : {"\xe3\x80\x82", "\xef\xbc\x8e", "\xef\xbd\xa1"}) {
    if (absl::StartsWith(text, dot)) return dot.size();
  }
  return 0;
}

std::vector<absl::string_view> Split(absl::string_view name, const HostNameRules& rules) {
  std::vector<absl::string_view> labels;
  size_t start = 0;
  for (size_t i = 0; i < name.size();) {
    const size_t separator = SeparatorAt(name.substr(i), rules);
    if (separator != 0) {
      labels.push_back(name.substr(start, i - start));
      start = i + separator;
    }
    i += std::max<size_t>(separator, 1);
  }
  labels.push_back(name.substr(start));
  return labels;
}

}  // namespace

std::optional<std::string> AsciiHostName(absl::string_view name, const HostNameRules& rules) {
  if (name.size() > kMaxNameUtf8 || !base::IsUtf8(name)) return std::nullopt;
  std::vector<std::string> ascii;
  bool right_to_left = false;
  bool all_begin_left_to_right = true;
  for (const absl::string_view text : Split(name, rules)) {
    if (text.empty() || absl::StrContains(text, '\0')) return std::nullopt;
    std::optional<Label> label = IsAscii(text) ? FromAscii(text, rules) : FromUnicode(text, rules);
    if (!label.has_value() || label->ascii.empty()) return std::nullopt;
    if (AnyCodePoint(label->unicode, IsRightToLeft)) {
      right_to_left = true;
    } else {
      all_begin_left_to_right = all_begin_left_to_right && BeginsLeftToRight(label->unicode);
    }
    ascii.push_back(std::move(label->ascii));
  }
  if (right_to_left && !all_begin_left_to_right) return std::nullopt;
  std::string joined = absl::StrJoin(ascii, ".");
  if (joined.size() > kMaxName) return std::nullopt;
  return joined;
}

}  // namespace tipstaff::schema
