// The hash that chains a run's records. The format is described in docs/ledger-format.md ("The
// chain"); this is its only implementation here.
#pragma once

#include <cstdint>

#include "absl/strings/string_view.h"
#include "mediator/base/digest.h"
#include "mediator/call/record.h"

namespace tipstaff::ledger {

// What the first record of a run follows.
inline constexpr base::Digest kChainStart = {};

// BLAKE2b-256 over, integers big-endian:
//   "tipstaff-ledger-record-v1" and a zero byte
//   previous      32 bytes, the hash of the record before
//   run           4 bytes of length, then the id
//   seq           8 bytes
//   kind          1 byte
//   time          8 bytes, microseconds since 1970 (two's complement)
//   body          8 bytes of length, then the bytes
//   payload       one zero byte when there is none; else a byte 1 and the payload's BLAKE2b-256
// Precondition: `run` is shorter than 4 GiB. Pure; thread-safe.
base::Digest RecordHash(const base::Digest& previous, absl::string_view run, uint64_t seq,
                        const call::Record& record);

}  // namespace tipstaff::ledger
