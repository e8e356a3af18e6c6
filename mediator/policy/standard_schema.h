// A skill's schema in the words of JSON Schema 2020-12 alone: for agents to read.
#pragma once

#include "absl/types/span.h"
#include "mediator/json/document.h"
#include "mediator/schema/program.h"

namespace tipstaff::policy::internal {

// What the bindings of a skill stand for: a value for each of `names`, in that order.
struct BoundValues {
  absl::Span<const schema::Binding> names;
  absl::Span<const json::Value> values;
};

struct StandardSchema {
  json::Document schema;
  bool refers = false;                // `$ref` and the like: it has to stay a resource of its own
  bool refers_to_definitions = true;  // and to nothing but `#/$defs/...`
};

// Accepts all that `schema` accepts: `equals` becomes const, `in` enum, `email` the local parts of
// its addresses as a pattern, with the addresses as examples (a domain is spelt in many ways),
// `maxBytes` maxLength (a character has at least one byte). What has no equivalent is left out,
// with the `not`, `if` and `oneOf` that would then refuse too much, and so are the words for
// readers of the skill. `schema` is one that compiles, of at most json::kMaxDepth.
StandardSchema ToStandard(json::Value schema, const BoundValues& bound);

// The items that `in`, `email`, `emailDomain` or a list of `url` has, with the values of bindings.
json::Document ResolveList(json::Value list, const BoundValues& bound);

}  // namespace tipstaff::policy::internal
