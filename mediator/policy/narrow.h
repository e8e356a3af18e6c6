// A tool's schema of an argument, narrowed to what a permission allows: for agents to read. The
// decision is made by the permission, not by this.
#pragma once

#include "absl/types/span.h"
#include "mediator/json/document.h"
#include "mediator/policy/compiled.h"

namespace tipstaff::policy::internal {

// What the bindings of a skill stand for: a value for each of `names`, in that order.
struct BoundValues {
  absl::Span<const schema::Binding> names;
  absl::Span<const json::Value> values;
};

// `tool` may be missing. `equals` becomes const, `in` enum, maxBytes maxLength (a character has at
// least one byte); of limits the stricter stays; what has no JSON Schema equivalent is left out.
json::Document Narrow(json::Value tool, json::Value permission, const BoundValues& bound);

// Whether no value can pass because a list of bindings is empty for this run.
bool IsUnsatisfiable(json::Value permission, const BoundValues& bound);

}  // namespace tipstaff::policy::internal
