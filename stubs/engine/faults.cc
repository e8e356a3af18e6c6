#include "stubs/engine/faults.h"

#include <algorithm>

namespace tipstaff::engine {

const FaultDefinition* PickFault(const Definition& definition, size_t tool, uint64_t tool_call,
                                 const RandomKey& key, uint64_t number) {
  RandomStream random(key, RandomStream::Purpose::kFault, number);
  for (const FaultDefinition& fault : definition.faults) {
    // Drawn for faults of other tools too: whether one applies depends on the call's number only.
    const double drawn = fault.probability ? random.Fraction() : 0;
    if (fault.tool != tool) continue;
    const bool numbered = std::find(fault.on_call.begin(), fault.on_call.end(),
                                    static_cast<int64_t>(tool_call)) != fault.on_call.end();
    if (!fault.on_call.empty() && !numbered) continue;
    if (fault.probability && drawn >= *fault.probability) continue;
    return &fault;
  }
  return nullptr;
}

}  // namespace tipstaff::engine
