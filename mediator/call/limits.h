// Limits on calls and results (docs/architecture.md lists where each is enforced).
#pragma once

#include <cstddef>

namespace tipstaff::call {

inline constexpr size_t kMaxArgumentsBytes = 256
                                             << 10;  // a call's arguments, as the guest sent them
inline constexpr size_t kMaxResultBytes = 8 << 20;   // a result, as it goes back
inline constexpr size_t kMaxCallIdBytes = 64;        // of [A-Za-z0-9_.:-]
inline constexpr size_t kMaxToolNameBytes = 64;      // of [A-Za-z0-9_.-]
inline constexpr int kMaxCallsInFlight = 16;         // per run

}  // namespace tipstaff::call
