// Headers that repeat a tool's arguments: `x-mcp-header` in its input schema, `Mcp-Param-*` in the
// request. Source: modelcontextprotocol.io, "Streamable HTTP" of 2026-07-28, "Custom Headers".
#pragma once

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "mediator/json/document.h"
#include "mediator/mcp/http_rules.h"

namespace tipstaff::mcp {

// What is wrong with the headers of a call with those arguments, for a person; nothing when they
// say what the arguments say. An annotation that the revision forbids asks for nothing.
std::optional<std::string> ParamMismatch(absl::string_view input_schema, json::Value arguments,
                                         const HttpHead& head);

}  // namespace tipstaff::mcp
