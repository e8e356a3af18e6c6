// Random runs: the skills, and what they are bound to.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "mediator/call/tool.h"
#include "tests/differential/case.h"
#include "tests/differential/dice.h"

namespace tipstaff::differential {

// Skills that a run may be granted together, and their bindings. Most of them load.
Case MakeRun(Dice& dice);

// The permissions of all skills: {skill, permission}.
std::vector<std::pair<const Tree*, const Tree*>> PermissionsOf(const Case& run);

}  // namespace tipstaff::differential
