#include "mediator/json/number.h"

#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "absl/strings/charconv.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace tipstaff::json::internal {
namespace {

constexpr uint64_t kSmallestMagnitude = uint64_t{1} << 63;  // of int64's smallest

std::optional<Number> IntegerOf(bool negative, absl::string_view digits) {
  uint64_t magnitude = 0;
  if (!absl::SimpleAtoi(digits, &magnitude)) return std::nullopt;
  if (negative) {
    if (magnitude > kSmallestMagnitude) return std::nullopt;
    return static_cast<int64_t>(0 - magnitude);
  }
  if (magnitude <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    return static_cast<int64_t>(magnitude);
  }
  return magnitude;
}

// The value of a literal with a fraction or exponent when it is an integer that fits 64 bits: its
// digits without the point, shifted by the exponent.
std::optional<Number> ExactInteger(bool negative, absl::string_view literal) {
  int64_t exponent = 0;
  if (const size_t e = literal.find_first_of("eE"); e != absl::string_view::npos) {
    absl::string_view digits = literal.substr(e + 1);
    const bool below = absl::ConsumePrefix(&digits, "-");
    if (!below) absl::ConsumePrefix(&digits, "+");
    while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
    constexpr size_t kMostDigits = 9;
    if (digits.size() > kMostDigits || !absl::SimpleAtoi(digits, &exponent)) {
      exponent = 1'000'000'000;
    }
    if (below) exponent = -exponent;
    literal = literal.substr(0, e);
  }
  std::string digits(literal);
  if (const size_t point = literal.find('.'); point != absl::string_view::npos) {
    digits.erase(point, 1);
    exponent -= static_cast<int64_t>(literal.size() - point - 1);
  }
  digits.erase(0, digits.find_first_not_of('0'));
  if (digits.empty()) return int64_t{0};
  const size_t significant = digits.find_last_not_of('0') + 1;
  exponent += static_cast<int64_t>(digits.size() - significant);
  digits.resize(significant);
  if (exponent < 0 || exponent + static_cast<int64_t>(significant) > 20) return std::nullopt;
  digits.append(exponent, '0');
  return IntegerOf(negative, digits);
}

}  // namespace

Number NumberOf(absl::string_view literal) {
  const bool negative = literal.front() == '-';
  const absl::string_view magnitude = literal.substr(negative ? 1 : 0);
  if (magnitude.find_first_of(".eE") == absl::string_view::npos) {
    return IntegerOf(negative, magnitude).value_or(NumberProblem::kIntegerRange);
  }
  if (const std::optional<Number> integer = ExactInteger(negative, magnitude)) return *integer;
  double value = 0;
  const auto read = absl::from_chars(literal.data(), literal.data() + literal.size(), value);
  if (read.ec == std::errc::result_out_of_range && std::abs(value) > 1) {
    return NumberProblem::kOverflow;
  }
  if (value == std::trunc(value) && value >= -0x1p63 && value < 0x1p64) {
    return NumberProblem::kInexact;
  }
  return value;
}

}  // namespace tipstaff::json::internal
