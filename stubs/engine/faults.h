// Faults: what a stub gets wrong on purpose.
#pragma once

#include <cstdint>
#include <string>

#include "stubs/engine/definition.h"
#include "stubs/engine/random.h"
#include "stubs/engine/stub.h"

namespace tipstaff::engine {

// The first fault in the file's order that applies, or null. `tool_call` is the number of this call
// among those of its tool, from 1; `number` the run's number of the call.
const FaultDefinition* PickFault(const Definition& definition, size_t tool, uint64_t tool_call,
                                 const RandomKey& key, uint64_t number);

// Whether the call is not made at all: an error, or a time-out before it took effect.
bool Prevents(const FaultDefinition& fault);

// The answer in place of a call that timed out: nobody knows whether it took effect.
Reply TimedOut();

// Does to the reply of a call that was made (or of its TimedOut()) what the fault says, and notes
// it for the author. A call that failed by itself keeps its failure, but for a time-out, in which
// it is lost; a stub's mistake is never hidden.
void ApplyFault(const FaultDefinition& fault, const ToolDefinition& tool, Reply& reply);

}  // namespace tipstaff::engine
