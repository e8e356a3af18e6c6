// Arguments that an agent may leave out, where the tool's default then gets round what a skill says
// of them: a decision is about what is given.
#pragma once

#include <vector>

#include "mediator/policy/compiled.h"

namespace tipstaff::policy::internal {

struct OpenDefault {
  json::Value argument;  // its schema, in the skill's file
  json::Value taken;     // the default, in the tool's schema
};

// `node`: a permission or, with `denies`, a deny rule of `skill`; `tool`: the input schema of one
// that it is about. Of a permission: the optional arguments whose default it does not allow; of a
// rule: the arguments that it asks for whose default it denies. Nothing is said of constraints with
// bindings, which have no value yet.
std::vector<OpenDefault> OpenDefaults(const CompiledSkill& skill, json::Value node, bool denies,
                                      json::Value tool);

}  // namespace tipstaff::policy::internal
