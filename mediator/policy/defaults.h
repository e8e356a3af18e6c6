// Arguments that an agent may leave out, and what a tool takes in their place: its schema's
// defaults.
//
// A permission is about what is given; a deny rule is judged on what is given and on what the tool
// makes of it, so that leaving an argument out gets round nothing.
#pragma once

#include <optional>
#include <vector>

#include "mediator/policy/compiled.h"

namespace tipstaff::policy::internal {

// Whether a tool's input schema has a default anywhere that WithDefaults() would fill in.
bool HasDefaults(json::Value tool);

// `arguments` and the defaults of the properties that are not given: of the arguments themselves,
// and of objects within them that are given. A `$ref` to a part of the same schema is followed.
// Nothing when there is nothing to add, or it does not fit into a document.
std::optional<json::Document> WithDefaults(json::Value arguments, json::Value tool);

struct OpenDefault {
  json::Value argument;  // its schema, in the skill's file
  json::Value taken;     // the default, in the tool's schema
};

// The optional arguments of a permission, `node` of `skill`, whose default it does not allow.
// Nothing is said of constraints with bindings, which have no value yet.
std::vector<OpenDefault> OpenDefaults(const CompiledSkill& skill, json::Value node,
                                      json::Value tool);

}  // namespace tipstaff::policy::internal
