// Why a call was decided as it was, for a terminal.
#pragma once

#include <string>
#include <vector>

#include "mediator/policy/explain.h"

namespace tipstaff::cli {

// What the deny rule and each permission made of the call, the nearest first, each with its place
// in the skill's file.
std::string RenderTrace(const policy::Grant& grant, const policy::Trace& trace);

// Whether a planted text leaves with the arguments, or may; the decision's nearest says which.
bool SawPlanted(const call::Decision& decision);

// What came nearest first.
std::vector<policy::Considered> NearestFirst(std::vector<policy::Considered> considered);

}  // namespace tipstaff::cli
