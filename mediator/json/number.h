// The value of a JSON number's text.
#pragma once

#include <cstdint>
#include <variant>

#include "absl/strings/string_view.h"

namespace tipstaff::json::internal {

enum class NumberProblem {
  kIntegerRange,  // written as an integer, outside int64 and uint64
  kOverflow,      // of a double
  kInexact,       // no integer, but so near to one of 64 bits that a double cannot tell
};

// An integer that fits 64 bits, however it was written (`1.0`, `1e3`), is one; -0 is 0. What is no
// such integer never becomes one by rounding.
using Number = std::variant<int64_t, uint64_t, double, NumberProblem>;

// `literal` is a number by RFC 8259's grammar.
Number NumberOf(absl::string_view literal);

}  // namespace tipstaff::json::internal
