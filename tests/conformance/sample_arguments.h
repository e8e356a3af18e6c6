// Arguments that a tool's input schema permits, for schemas as simple as those of the suite.
#pragma once

#include <string>

#include "mediator/json/document.h"

namespace tipstaff::conformance {

// An object with a value of the right type for each required property.
std::string SampleArguments(json::Value input_schema);

}  // namespace tipstaff::conformance
