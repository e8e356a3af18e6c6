// The key of a run's digests of sensitive values: a file in the run's folder, made when the run
// opens and destroyed when it closes. It never enters the ledger.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace tipstaff::host {

// Reads the key, 32 bytes, or makes one (mode 0600) where there is none that can be used. Digests
// that an earlier one made then match nothing any more, which is safe.
absl::StatusOr<std::string> SensitiveKeyIn(const std::string& run_folder);
// OK when it is gone, or never was.
absl::Status DestroySensitiveKeyIn(const std::string& run_folder);

}  // namespace tipstaff::host
