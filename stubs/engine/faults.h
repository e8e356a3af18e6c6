// Faults: what a stub gets wrong on purpose.
#pragma once

#include <cstdint>

#include "stubs/engine/definition.h"
#include "stubs/engine/random.h"

namespace tipstaff::engine {

// The first fault in the file's order that applies, or null. `tool_call` is the number of this call
// among those of its tool, from 1; `number` the run's number of the call.
const FaultDefinition* PickFault(const Definition& definition, size_t tool, uint64_t tool_call,
                                 const RandomKey& key, uint64_t number);

}  // namespace tipstaff::engine
