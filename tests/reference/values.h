// JSON values as JSON Schema compares them.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "mediator/json/document.h"

namespace tipstaff::reference {

// Numbers by value, objects without regard to order.
bool IsSame(json::Value a, json::Value b);

// Below 0, 0 or above 0. Both are numbers. Exact for 64 bits and doubles.
int Compare(json::Value a, json::Value b);
bool IsWhole(json::Value number);
// In decimals: 0.3 is a multiple of 0.1. `divisor` is over 0.
bool IsMultiple(json::Value number, json::Value divisor);

// Of valid UTF-8.
std::vector<char32_t> CodePoints(absl::string_view text);

}  // namespace tipstaff::reference
