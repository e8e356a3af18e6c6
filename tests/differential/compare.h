// Where a decision of the mediator differs from the reference's.
#pragma once

#include <string>

#include "mediator/call/call.h"
#include "mediator/policy/explain.h"
#include "tests/reference/decide.h"

namespace tipstaff::differential {

// Lines for people, "" when they agree. `tool_known`: the run offers the tool, so it has an effect.
std::string CompareDecisions(const call::Decision& is, const reference::Judgement& right,
                             bool tool_known);

// What each permission for the tool makes of the call.
std::string CompareOpinions(const policy::Trace& trace, const reference::Judgement& right);

}  // namespace tipstaff::differential
