// Arguments that a permission lets an agent leave out, though what the tool takes in their place
// (schema/defaults.h) is none that it allows. Said when a skill is checked: a permission is about
// what is given.
#pragma once

#include <vector>

#include "mediator/policy/compiled.h"

namespace tipstaff::policy::internal {

struct OpenDefault {
  json::Value argument;  // its schema, in the skill's file
  json::Value taken;     // the default, in the tool's schema
};

// The optional arguments of a permission, `node` of `skill`, whose default it does not allow.
// Nothing is said of constraints with bindings, which have no value yet.
std::vector<OpenDefault> OpenDefaults(const CompiledSkill& skill, json::Value node,
                                      json::Value tool);

}  // namespace tipstaff::policy::internal
