// Tools and their arguments, for people who type calls.
#pragma once

#include <string>

#include "absl/types/span.h"
#include "mediator/call/tool.h"

namespace tipstaff::cli {

// A line a tool: name, effect, arguments (those in brackets need not be given).
std::string RenderTools(absl::Span<const call::Tool> tools);
// Description and a line for each argument: its type, bounds and description; an example to type.
std::string RenderTool(const call::Tool& tool);

}  // namespace tipstaff::cli
