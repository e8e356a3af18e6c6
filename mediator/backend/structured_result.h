// What a tool returned, as the result of a call.
#pragma once

#include <string>

#include "mediator/json/document.h"

namespace tipstaff::backend {

// A CallToolResult with the value both as structuredContent and as text, since some clients read
// only one of them.
std::string StructuredResult(json::Value value);

}  // namespace tipstaff::backend
