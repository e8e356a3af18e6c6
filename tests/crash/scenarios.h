// What clients do with a run, from its opening to its end: together they come past every step that
// a call, a result and a run can take.
#pragma once

#include <vector>

#include "tests/crash/client.h"

namespace tipstaff::crash {

// Each throws when the mediator goes away under it.
using Scenario = void (*)(Operator&, Told&);
const std::vector<Scenario>& Scenarios();

// Goes on with a run that a crash interrupted: writes, submits, and closes it.
void GoOn(Operator& by, const harness::OpenedRun& run, Told& told);

}  // namespace tipstaff::crash
