// Random calls of a run, many of which one of its permissions is meant for.
#pragma once

#include "tests/differential/case.h"
#include "tests/differential/dice.h"

namespace tipstaff::differential {

// Puts another call into the case. `bindings`: what they stand for, with defaults.
void MakeCall(const Tree& bindings, Dice& dice, Case& run);

// An allowed call by one of the permissions, at `at`.
reference::EarlierCall MakeEarlier(const Tree& skill, const Tree& permission, uint64_t at,
                                   Dice& dice);

}  // namespace tipstaff::differential
