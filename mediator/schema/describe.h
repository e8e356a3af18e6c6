// Constraints and values in words.
#pragma once

#include <string>

#include "absl/types/span.h"
#include "mediator/schema/code.h"

namespace tipstaff::schema::internal {

// "at most 200 bytes"; "`rep_aaaaaaaa` (binding `report_id`)".
std::string Expected(const Code& code, const Constraint& constraint,
                     absl::Span<const json::Value> bindings);
// What of `value` made a constraint of `node` fail: "312 bytes". `detail`: of kText the code point
// when it is known, of those that count matches how many there are.
std::string Found(const Code& code, const Node& node, const Constraint& constraint,
                  json::Value value, uint64_t detail);
// A value for a reader: escaped, and cut.
std::string ShowValue(json::Value value);
// The word for the constraint in a message.
std::string KeywordOf(const Code& code, const Constraint& constraint);

}  // namespace tipstaff::schema::internal
