// What a call changed, as JSON text.
#pragma once

#include <string>

#include "absl/types/span.h"
#include "stubs/engine/stub.h"

namespace tipstaff::engine {

// Canonical JSON: {"outbox":[{"key":"msg_0001","op":"insert","row":{...}}]}; "" for no changes.
std::string ChangesInFull(absl::Span<const Change> changes);

// The same for the ledger, where the call's arguments and result stand anyway: a column whose value
// has more than 128 bytes (of a string's text, else of the canonical JSON) is left out of "row" and
// stands in "long" instead: {"content":{"digest":"<BLAKE2b-256 of those bytes>","size":956}}.
std::string ChangesForRecord(absl::Span<const Change> changes);

}  // namespace tipstaff::engine
