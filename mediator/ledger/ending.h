// Which appends bring calls and runs to their end, rather than letting something new begin: they
// are taken also when the disk is full, from the room that is kept for them (reserve.h).
#pragma once

#include <vector>

#include "absl/types/span.h"
#include "mediator/call/record.h"

namespace tipstaff::ledger {

// All of them are about what has begun already. Of such records there are so many at most as calls
// in flight, and as runs.
bool EndsSomething(absl::Span<const call::Record> records);
// So large that they need room that is not kept: a result, for instance. What ends the run itself
// never is.
bool NeedsMoreThanIsKept(absl::Span<const call::Record> records);

// Bytes of bodies and payloads in one append, at most. Of an outcome without its result it is about
// half.
inline constexpr size_t kSmallEnd = 512;

}  // namespace tipstaff::ledger
