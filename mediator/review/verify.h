// Whether a ledger, or one run of it, is what was written: chains, payloads, checkpoints, and who
// signed them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/keys/keys.h"
#include "mediator/ledger/ledger.h"

namespace tipstaff::review {

struct VerifyRequest {
  std::string run;                     // "": all runs
  std::vector<keys::KnownKey> trust;   // whose signatures count
  std::optional<std::string> outside;  // a checkpoint kept elsewhere
};

struct Verification {
  // Damage: each with its place. What cannot be known: each with what would tell.
  std::vector<std::string> damage, unknown;
  uint64_t runs = 0, closed = 0, records = 0, checkpoints = 0;
  std::vector<std::string> signers;  // kids, of the checkpoints that verified
  bool outside = false;              // a checkpoint from elsewhere agrees

  bool whole() const { return damage.empty() && unknown.empty(); }
};

// Goes on after the first damage, so that all runs are looked at. Errors are of reading the ledger
// at all: NotFound for a run that is not there, InvalidArgument for `outside` that is no note.
absl::StatusOr<Verification> Verify(ledger::Reader& reader, const VerifyRequest& request);

}  // namespace tipstaff::review
