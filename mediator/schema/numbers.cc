#include "mediator/schema/numbers.h"

#include <charconv>
#include <cmath>

#include "absl/numeric/int128.h"
#include "absl/strings/numbers.h"

namespace tipstaff::schema {
namespace {

absl::int128 Wide(json::Value integer) {
  return integer.kind() == json::Kind::kUnsigned ? absl::int128(integer.unsigned_integer())
                                                 : absl::int128(integer.integer());
}

template <typename T>
int Sign(T a, T b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

// 2^65: beyond every integer that a Value can hold, and within int128.
constexpr double kBeyondIntegers = 36893488147419103232.0;

int CompareIntegerToDouble(absl::int128 integer, double number) {
  if (number >= kBeyondIntegers) return -1;
  if (number <= -kBeyondIntegers) return 1;
  const double whole = std::floor(number);
  const int sign = Sign(integer, static_cast<absl::int128>(whole));
  return sign != 0 ? sign : (number > whole ? -1 : 0);
}

// mantissa * 10^exponent, without the sign.
struct Decimal {
  uint64_t mantissa = 0;
  int exponent = 0;
};

Decimal ToDecimal(json::Value number) {
  if (number.kind() == json::Kind::kUnsigned) return {number.unsigned_integer(), 0};
  if (number.kind() == json::Kind::kInteger) {
    const uint64_t bits = static_cast<uint64_t>(number.integer());
    return {number.integer() < 0 ? 0 - bits : bits, 0};
  }
  // The shortest digits that read back as the same double are at most 17.
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, std::fabs(number.number()),
                                 std::chars_format::scientific);
  Decimal decimal;
  int after_point = -1;
  for (const char* p = text; p != end.ptr; ++p) {
    if (*p == '.') {
      after_point = 0;
    } else if (*p == 'e') {
      const char* exponent = p + 1;
      if (*exponent == '+') ++exponent;
      std::from_chars(exponent, end.ptr, decimal.exponent);
      break;
    } else {
      decimal.mantissa = decimal.mantissa * 10 + static_cast<uint64_t>(*p - '0');
      if (after_point >= 0) ++after_point;
    }
  }
  if (after_point > 0) decimal.exponent -= after_point;
  return decimal;
}

// 10^power modulo `modulus`; every product fits 128 bits.
uint64_t PowerOfTen(int power, uint64_t modulus) {
  absl::uint128 result = 1 % modulus, base = 10 % modulus;
  for (; power > 0; power >>= 1) {
    if ((power & 1) != 0) result = result * base % modulus;
    base = base * base % modulus;
  }
  return absl::Uint128Low64(result);
}

}  // namespace

int Compare(json::Value a, json::Value b) {
  if (a.is_integer()) {
    return b.is_integer() ? Sign(Wide(a), Wide(b)) : CompareIntegerToDouble(Wide(a), b.number());
  }
  return b.is_integer() ? -CompareIntegerToDouble(Wide(b), a.number())
                        : Sign(a.number(), b.number());
}

bool IsIntegral(json::Value number) {
  return number.is_integer() || std::floor(number.number()) == number.number();
}

bool IsMultipleOf(json::Value number, json::Value divisor) {
  const Decimal n = ToDecimal(number), d = ToDecimal(divisor);
  if (n.mantissa == 0) return true;
  if (d.mantissa == 0) return false;
  const int shift = n.exponent - d.exponent;
  if (shift >= 0) {
    const absl::uint128 product =
        absl::uint128(n.mantissa % d.mantissa) * PowerOfTen(shift, d.mantissa);
    return product % d.mantissa == 0;
  }
  // n.mantissa has to be a multiple of d.mantissa * 10^-shift.
  absl::uint128 step = d.mantissa;
  for (int i = shift; i < 0; ++i) {
    step *= 10;
    if (step > n.mantissa) return false;
  }
  return n.mantissa % step == 0;
}

}  // namespace tipstaff::schema
