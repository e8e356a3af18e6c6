// Crash points around the commits of a run, by the kind of their last record.
#pragma once

#include "mediator/call/record.h"

namespace tipstaff::host {

void PassBeforeCommit(call::RecordKind last);
void PassAfterCommit(call::RecordKind last);

}  // namespace tipstaff::host
