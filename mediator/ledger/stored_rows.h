// Rows of the ledger's tables as values. The file may be damaged or forged: whatever a row holds
// becomes a value or a DataLoss that names the record.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/ledger/database.h"
#include "mediator/ledger/ledger.h"

namespace tipstaff::ledger {

// Columns: run; time of its first record; seq, kind and hash of its last. All but the first NULL
// when it has no records.
absl::StatusOr<StoredRun> RunOfRow(const Statement& row);

// Columns: position, run, seq, kind, time, hash, body, length of the payload; then the payload.
absl::StatusOr<StoredRecord> RecordOfRow(const Statement& row, bool with_payload);

// "run `R` record N", for messages.
std::string Place(absl::string_view run, uint64_t seq);

}  // namespace tipstaff::ledger
