#include "mediator/policy/digits.h"

#include <array>

#include "mediator/policy/letters.h"

namespace tipstaff::policy::internal {
namespace {

constexpr char kCompatible = '\x80';
constexpr char kNone = '\xff';
constexpr size_t kLeastHex = 16;  // of eight letters
constexpr int kHexBits = 4, kBase64Bits = 6;

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
void Pack(absl::string_view values, int bits, std::string& out) {
  out.resize(values.size() * bits / 8);
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
}

// Whether `look` says so of the bytes from one of the first so many digits on.
bool AnyStart(absl::string_view values, int bits, size_t starts, Digits::Look look) {
  std::string bytes;
  for (size_t start = 0; start < starts; ++start) {
    Pack(values.substr(start), bits, bytes);
    if (look(bytes)) return true;
  }
  return false;
}

}  // namespace

bool Seen::Add(absl::string_view text, int levels) {
  if (const auto it = levels_.find(text); it != levels_.end()) {
    if (it->second >= levels) return false;
    it->second = levels;
    return true;
  }
  if (bytes_ + text.size() > kMostBytes) return true;
  bytes_ += text.size();
  levels_.emplace(text, levels);
  return true;
}

bool Digits::MayBe(char c) {
  return static_cast<unsigned char>(c) < 0x80 && kBase64Values[static_cast<size_t>(c)] != kNone;
}

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
  if (!MayBe(c)) return;
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

bool Digits::AnyHex(SeenDigits& seen, int levels, Look look) const {
  for (const bool compatible : {false, true}) {
    if (compatible && !has_compatible_) continue;
    for (const bool prefixes : {true, false}) {
      if (prefixes && !has_prefix_) continue;
      const std::string values = HexValues(compatible, prefixes);
      if (values.size() < kLeastHex || !seen.hex.Add(values, levels)) continue;
      if (AnyStart(values, kHexBits, /*starts=*/2, look)) return true;
    }
  }
  return false;
}

bool Digits::AnyBase64(SeenDigits& seen, int levels, Look look) const {
  for (const bool compatible : {false, true}) {
    if (compatible && !has_compatible_) continue;
    for (const bool standard : {true, false}) {
      if (!standard && !has_standard_) continue;
      for (const bool url : {true, false}) {
        if (!url && !has_url_) continue;
        const std::string values = Base64Values(compatible, standard, url);
        if (values.size() < kLeast || !seen.base64.Add(values, levels)) continue;
        if (AnyStart(values, kBase64Bits, /*starts=*/4, look)) return true;
      }
    }
  }
  return false;
}

}  // namespace tipstaff::policy::internal
