// Limits of the stub engine. A stub's files are the operator's; what its tables and scripts hold
// grows with what a hostile guest sends.
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/time/time.h"
#include "mediator/call/limits.h"
#include "mediator/source/read.h"

namespace tipstaff::engine {

inline constexpr size_t kMaxFileBytes = source::kMaxFileBytes;  // of one file of a stub
inline constexpr size_t kMaxFilesBytes = 16 << 20;              // of all of them
inline constexpr size_t kMaxStateBytes = 64 << 20;              // of all rows of a state, in memory
inline constexpr size_t kMaxResultBytes = call::kMaxResultBytes;
inline constexpr int64_t kMaxSelectedRows = 100'000;  // that `limit` may ask for
inline constexpr size_t kMaxResultNodes = 1 << 17;    // values in what a script hands over
inline constexpr size_t kDefaultPageRows = 50;        // where the call does not say
inline constexpr size_t kMaxRowDiagnostics = 20;      // of one fixture
inline constexpr size_t kMaxMessageBytes = 2000;      // of an error's sentence
inline constexpr size_t kMaxLogLines = 100;           // per call
inline constexpr size_t kMaxLogLineBytes = 1000;
inline constexpr size_t kMaxAudienceBytes = 255;
inline constexpr size_t kMaxMisses = 3;     // look-ups without a row that a note tells of
inline constexpr int kMaxIdTries = 10'000;  // names that are in use already
inline constexpr absl::Duration kMaxFaultDelay = absl::Minutes(10);
inline constexpr int kMaxProgressReports = 1000;

// Of one run of a script. The first three are the same on every machine; the time only backs them
// up, far from what an honest script needs. Where a script holds a block of memory that one
// instruction may take long to go over (a text to compare, a stack to copy), the clock is looked at
// often, and the time is shorter.
inline constexpr uint64_t kMaxScriptSteps =
    2'000'000;                                        // Lua instructions, and work charged as such
inline constexpr size_t kMaxScriptMemory = 12 << 20;  // bytes in use at a time
inline constexpr size_t kMaxScriptAllocation = 64 << 20;            // bytes asked for in all
inline constexpr absl::Duration kMaxScriptTime = absl::Seconds(1);  // of the thread's CPU time
inline constexpr size_t kLongBlockBytes = 64 << 10;
inline constexpr absl::Duration kMaxTimeAgain =
    absl::Seconds(30);  // instead, of a call that is made again: it came to its end before
inline constexpr absl::Duration kMaxLongBlockTime = absl::Milliseconds(60);  // of the same
inline constexpr size_t kMaxCallBytes = 8 << 20;  // of the rows that one call makes

static_assert(kMaxScriptMemory > 4 * call::kMaxArgumentsBytes, "arguments fit into a script");

}  // namespace tipstaff::engine
