// Checks a value against Code.
#pragma once

#include <optional>

#include "absl/types/span.h"
#include "mediator/schema/code.h"
#include "mediator/schema/program.h"

namespace tipstaff::schema::internal {

// Stops at the first failure.
bool Passes(const Code& code, json::Value value, absl::Span<const json::Value> bindings);
// True too when it takes too many steps to find out.
bool MayPass(const Code& code, json::Value value, absl::Span<const json::Value> bindings);
Tally TallyOf(const Code& code, json::Value value, absl::Span<const json::Value> bindings);

// Whether `value` satisfies one constraint of `node`, which is none that ListsValues() (lists.h).
// True of kAdditionalProperties: the walk over the members sees to it.
bool Holds(const Code& code, const Node& node, const Constraint& constraint, json::Value value);

// An unanchored match of Code::patterns.
bool IsMatch(const Code& code, uint32_t pattern, absl::string_view text);

// The first code point that `mode` refuses in a string or key of `value`, however deep.
std::optional<char32_t> RefusedWithin(json::Value value, TextMode mode);
// The first code point that `mode` refuses among the strings of `value` that no schema of their own
// covers, and its unlisted keys. Of a node without an Extra.
std::optional<char32_t> RefusedText(const Code& code, const Node& node, TextMode mode,
                                    json::Value value);

}  // namespace tipstaff::schema::internal
