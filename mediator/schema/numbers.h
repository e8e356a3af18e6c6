// Arithmetic on JSON numbers without the errors of converting them to doubles first.
#pragma once

#include "mediator/json/document.h"

namespace tipstaff::schema {

// Precondition of all: the values are numbers.

// Negative, zero or positive as `a` is less than, equal to or greater than `b`; exact.
int Compare(json::Value a, json::Value b);

// Without a fractional part.
bool IsIntegral(json::Value number);

// Whether `number` is a whole multiple of `divisor` (which is greater than 0), both taken as the
// decimals that they are written as: 0.0075 is a multiple of 0.0001, and 0.3 of 0.1.
bool IsMultipleOf(json::Value number, json::Value divisor);

}  // namespace tipstaff::schema
