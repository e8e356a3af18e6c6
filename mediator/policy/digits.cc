#include "mediator/policy/digits.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "mediator/policy/letters.h"

namespace tipstaff::policy::internal {
namespace {

constexpr char kCompatible = '\x80';
constexpr char kNone = '\xff';
constexpr size_t kLeastHex = 16;  // of eight letters

char AsciiOf(char found) { return static_cast<char>(found & 0x7f); }

char HexValue(char c) {
  if (c >= '0' && c <= '9') return static_cast<char>(c - '0');
  c = static_cast<char>(c | 0x20);
  return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 10) : kNone;
}

constexpr char Base64Value(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<char>(c - 'a' + 26);
  if (c >= '0' && c <= '9') return static_cast<char>(c - '0' + 52);
  if (c == '+' || c == '-') return 62;
  return c == '/' || c == '_' ? 63 : kNone;
}

constexpr auto kBase64Values = [] {
  std::array<char, 128> values{};
  for (int c = 0; c < 128; ++c) values[c] = Base64Value(static_cast<char>(c));
  return values;
}();

bool IsStandard(char c) { return c == '+' || c == '/'; }
bool IsUrl(char c) { return c == '-' || c == '_'; }

// The values of bits each, as bytes.
std::string Packed(absl::string_view values, int bits) {
  std::string out(values.size() * bits / 8, '\0');
  size_t size = 0;
  uint32_t kept = 0;
  int have = 0;
  for (const char value : values) {
    kept = (kept << bits) | static_cast<uint32_t>(value);
    have += bits;
    if (have < 8) continue;
    have -= 8;
    out[size++] = static_cast<char>(kept >> have);
  }
  return out;
}

// Readings of the same digits; those that say the same are looked at once.
class Readings {
 public:
  Readings(size_t least, int bits, size_t starts) : least_(least), bits_(bits), starts_(starts) {}

  bool Any(std::string values, Digits::Look look) {
    if (values.size() < least_) return false;
    if (std::find(seen_.begin(), seen_.end(), values) != seen_.end()) return false;
    seen_.push_back(std::move(values));
    for (size_t start = 0; start < starts_; ++start) {
      if (look(Packed(absl::string_view(seen_.back()).substr(start), bits_))) return true;
    }
    return false;
  }

 private:
  const size_t least_;
  const int bits_;
  const size_t starts_;
  std::vector<std::string> seen_;
};

bool MayBeDigit(char c) { return kBase64Values[static_cast<size_t>(c)] != kNone; }

}  // namespace

Digits::Digits(absl::string_view text) {
  const Letters& letters = Letters::Get();
  found_.reserve(text.size());
  while (!text.empty()) {
    const base::CodePoint point = NextCodePoint(text);
    text.remove_prefix(point.bytes);
    if (point.value < 0x80) {
      Take(static_cast<char>(point.value), /*compatible=*/false);
    } else if (point.valid) {
      for (const char c : letters.Ascii(point.value)) Take(c, /*compatible=*/true);
    }
  }
}

void Digits::Take(char c, bool compatible) {
  if (!MayBeDigit(c)) return;
  has_compatible_ = has_compatible_ || compatible;
  has_standard_ = has_standard_ || IsStandard(c);
  has_url_ = has_url_ || IsUrl(c);
  has_prefix_ = has_prefix_ || c == 'x' || c == 'X';
  found_ += static_cast<char>(compatible ? c | kCompatible : c);
}

std::string Digits::HexValues(bool compatible, bool prefixes) const {
  std::string values;
  values.reserve(found_.size());
  char before = '\0';
  bool in_prefix = false;
  for (const char found : found_) {
    if (!compatible && (found & kCompatible) != 0) continue;
    const char c = AsciiOf(found);
    if (const char value = HexValue(c); value != kNone) {
      if (in_prefix) values.pop_back();  // the 0 of `0x`
      values += value;
    }
    in_prefix = prefixes && (c == 'x' || c == 'X') && before == '0';
    before = c;
  }
  return values;
}

std::string Digits::Base64Values(bool compatible, bool standard, bool url) const {
  std::string values(found_.size(), '\0');
  size_t size = 0;
  for (const char found : found_) {
    if (!compatible && (found & kCompatible) != 0) continue;
    const char c = AsciiOf(found);
    if ((!standard && IsStandard(c)) || (!url && IsUrl(c))) continue;
    values[size++] = kBase64Values[static_cast<size_t>(c)];
  }
  values.resize(size);
  return values;
}

bool Digits::AnyHex(Look look) const {
  Readings readings(kLeastHex, /*bits=*/4, /*starts=*/2);
  for (const bool compatible : {false, true}) {
    if (compatible && !has_compatible_) continue;
    for (const bool prefixes : {true, false}) {
      if (prefixes && !has_prefix_) continue;
      if (readings.Any(HexValues(compatible, prefixes), look)) return true;
    }
  }
  return false;
}

bool Digits::AnyBase64(Look look) const {
  Readings readings(kLeast, /*bits=*/6, /*starts=*/4);
  for (const bool compatible : {false, true}) {
    if (compatible && !has_compatible_) continue;
    for (const bool standard : {true, false}) {
      if (!standard && !has_standard_) continue;
      for (const bool url : {true, false}) {
        if (!url && !has_url_) continue;
        if (readings.Any(Base64Values(compatible, standard, url), look)) return true;
      }
    }
  }
  return false;
}

}  // namespace tipstaff::policy::internal
