// Room on the disk that is kept for the records with which runs end: a file beside the ledger that
// is given up when the disk is full, and taken again once there is room.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "mediator/call/record.h"

namespace tipstaff::ledger {

// Whether a record brings a call or a run to its end, rather than letting something new begin.
bool EndsSomething(call::RecordKind kind);

// Not thread-safe.
class Reserve {
 public:
  // The file `<ledger>-reserve` of `bytes`; 0: none is kept.
  Reserve(const std::string& ledger, uint64_t bytes) : path_(ledger + "-reserve"), bytes_(bytes) {}

  // Takes the room, where it is not held; not more than once in a second after it failed.
  // ResourceExhausted when there is none.
  absl::Status Hold();
  // Gives it up. False when none is held.
  bool Release();

 private:
  absl::Status Allocate() const;

  const std::string path_;
  const uint64_t bytes_;
  bool held_ = false;
  absl::Time next_try_ = absl::InfinitePast();
};

}  // namespace tipstaff::ledger
