// What a run was made of, from what it pinned in the ledger.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "mediator/host/granting.h"
#include "mediator/ledger/ledger.h"

namespace tipstaff::cli {

struct PinnedRun {
  run::Opened opened;
  host::Granted granted;  // its stubs' states as they were at the start
};

// NotFound; DataLoss for a damaged ledger.
absl::StatusOr<PinnedRun> ReadPinnedRun(ledger::Reader& reader, const std::string& run);

}  // namespace tipstaff::cli
