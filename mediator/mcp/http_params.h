// Headers that repeat a tool's arguments: `x-mcp-header` in its input schema, `Mcp-Param-*` in the
// request. Source: modelcontextprotocol.io, "Streamable HTTP" of 2026-07-28, "Custom Headers".
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "mediator/json/document.h"
#include "mediator/mcp/http_rules.h"

namespace tipstaff::mcp {

// What is wrong with the headers of a call with those arguments, for a person; nothing when they
// say what the arguments say. An annotation that the revision forbids asks for nothing.
std::optional<std::string> ParamMismatch(absl::string_view input_schema, json::Value arguments,
                                         const HttpHead& head);

// The headers of a call with those arguments, a JSON object: name and value, not yet encoded. An
// argument that is null or not there has none.
std::vector<std::pair<std::string, std::string>> ParamHeaders(json::Value input_schema,
                                                              absl::string_view arguments);

// Why a client has to refuse a tool with that schema; "" where it has not: an annotation that is no
// header's name, that stands twice, or at what is not a string, an integer or a boolean.
std::string ParamProblem(json::Value input_schema);

}  // namespace tipstaff::mcp
