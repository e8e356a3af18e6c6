// What of a call's result goes back to the guest, as the permission that allowed it says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mediator/call/outcome.h"
#include "mediator/json/document.h"
#include "mediator/policy/parts.h"

namespace tipstaff::policy {

struct ResultRule {
  std::optional<uint64_t> max_bytes;  // of the whole result as JSON
  std::optional<Parts> fields;        // of structuredContent; nothing else goes back
};

// `result` is a CallToolResult as JSON text. Of one that succeeded `fields` keeps those parts, of
// its structuredContent or of a text block that is a JSON object, and its content is then one text
// block that says the same; a result that has neither becomes an error that says so, as does one
// that is too large. An error's text is passed on.
std::string LimitResult(const ResultRule& rule, call::OutcomeKind kind, std::string result);

// An output schema that every result with these parts alone satisfies; `{"type":"object"}` at
// least.
json::Document OutputOf(json::Value output_schema, const Parts& fields);

}  // namespace tipstaff::policy
