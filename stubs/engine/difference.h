// What differs between a value that a test expects in part and the one that came.
#pragma once

#include <optional>
#include <string>

#include "mediator/json/document.h"

namespace tipstaff::engine {

// The first difference, by path: "/to/0: expected \"a\", found \"b\""; nothing when `found` has all
// that `expected` names: members of objects, every item of lists, equal scalars.
std::optional<std::string> FirstDifference(json::Value expected, json::Value found);

}  // namespace tipstaff::engine
