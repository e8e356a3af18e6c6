// The calls of one of a run's systems, from the ledger.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/cli/pinned_run.h"
#include "mediator/ledger/ledger.h"
#include "stubs/recorder/recording.h"

namespace tipstaff::cli {

struct RecordedCalls {
  recorder::Recording recording;
  std::vector<std::string> left_out;  // calls that are not in it, and why: "#9: ..."
};

// Those that were made in `run` to the system that it calls `alias`, in the order of their answers.
// DataLoss for a damaged ledger.
absl::StatusOr<RecordedCalls> ReadRecordedCalls(ledger::Reader& reader, const PinnedRun& run,
                                                const std::string& alias);

// The aliases of all systems that the run has.
std::vector<std::string> SystemsOf(const PinnedRun& run);

}  // namespace tipstaff::cli
