#include "tests/reference/values.h"

#include <cmath>

#include "mediator/json/write.h"

namespace tipstaff::reference {
namespace {

// Its mantissa has 64 bits or more where this is built, so that nothing is lost.
long double Exact(json::Value number) {
  if (number.kind() == json::Kind::kInteger) return number.integer();
  if (number.kind() == json::Kind::kUnsigned) return number.unsigned_integer();
  return number.number();
}
static_assert(__LDBL_MANT_DIG__ >= 64);

// digits * 10^exponent, without the sign, read off the number's text.
struct Decimal {
  unsigned __int128 digits = 0;
  int exponent = 0;
};

Decimal DecimalOf(json::Value number) {
  Decimal decimal;
  const std::string text = json::Dump(number);
  bool after_point = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == 'e' || text[i] == 'E') {
      decimal.exponent += std::stoi(text.substr(i + 1));
      break;
    }
    if (text[i] == '.') after_point = true;
    if (text[i] < '0' || text[i] > '9') continue;
    decimal.digits = decimal.digits * 10 + static_cast<unsigned>(text[i] - '0');
    if (after_point) --decimal.exponent;
  }
  return decimal;
}

bool EqualItems(json::Value a, json::Value b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!IsSame(a.At(i), b.At(i))) return false;
  }
  return true;
}

bool EqualMembers(json::Value a, json::Value b) {
  if (a.size() != b.size()) return false;
  for (const json::Member& member : a.members()) {
    const json::Value other = b.Find(member.key);
    if (!other.exists() || !IsSame(member.value, other)) return false;
  }
  return true;
}

}  // namespace

bool IsSame(json::Value a, json::Value b) {
  if (a.is_number() && b.is_number()) return Compare(a, b) == 0;
  if (a.kind() != b.kind()) return false;
  if (a.is_bool()) return a.boolean() == b.boolean();
  if (a.is_string()) return a.string() == b.string();
  if (a.is_array()) return EqualItems(a, b);
  if (a.is_object()) return EqualMembers(a, b);
  return a.is_null();
}

int Compare(json::Value a, json::Value b) {
  const long double left = Exact(a), right = Exact(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

bool IsWhole(json::Value number) { return std::floor(Exact(number)) == Exact(number); }

bool IsMultiple(json::Value number, json::Value divisor) {
  Decimal n = DecimalOf(number), d = DecimalOf(divisor);
  if (n.digits == 0) return true;
  for (; n.exponent > d.exponent; --n.exponent) n.digits = n.digits % d.digits * 10;
  for (; d.exponent > n.exponent; --d.exponent) {
    if (d.digits > n.digits) return false;
    d.digits *= 10;
  }
  return n.digits % d.digits == 0;
}

std::vector<char32_t> CodePoints(absl::string_view text) {
  std::vector<char32_t> points;
  for (const char c : text) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      points.push_back(byte);
    } else if (byte < 0xc0) {
      points.back() = points.back() << 6 | (byte & 0x3f);
    } else {
      points.push_back(byte < 0xe0 ? byte & 0x1f : byte < 0xf0 ? byte & 0x0f : byte & 0x07);
    }
  }
  return points;
}

}  // namespace tipstaff::reference
