// Whether the schema of a deny rule can hold of anything that a tool takes: one that cannot denies
// nothing, whatever its author meant.
#pragma once

#include <optional>
#include <string>

#include "mediator/json/document.h"

namespace tipstaff::policy::internal {

// Why a schema holds of nothing.
struct Unmet {
  json::Value at;       // in the schema
  bool at_key = false;  // the key of `at` is meant
  std::string message;  // "it takes no `tto` here"
  std::string help;     // "" for none
};

// `node`: a deny rule with `args`, `schema` or `uri`; `taken`: the input schema of a tool that it
// names, missing where only the rule itself is looked at. Nothing where a call may meet the rule,
// or where it is not known that none does. Names of members that the tool does not have are found
// wherever the rule has them, as something else was meant.
std::optional<Unmet> WhyUnmet(json::Value node, json::Value taken);

}  // namespace tipstaff::policy::internal
