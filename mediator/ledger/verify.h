// Verification of one run's chain, record by record: from a ledger, or from a copy of its records.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "mediator/base/digest.h"
#include "mediator/ledger/ledger.h"

namespace tipstaff::ledger {

// Not thread-safe.
//
//   ChainVerifier verifier(run);
//   for (const StoredRecord& record : records) TIPSTAFF_RETURN_IF_ERROR(verifier.Add(record));
class ChainVerifier {
 public:
  explicit ChainVerifier(std::string run) : run_(std::move(run)) {}

  // The next record, with its payload. DataLoss, naming the record, when one is missing before it
  // or it is not the one that was hashed. Does not look at `position`.
  absl::Status Add(const StoredRecord& record);

  uint64_t records() const { return records_; }
  const base::Digest& head() const { return head_; }  // of what was added

 private:
  std::string run_;
  uint64_t records_ = 0;
  base::Digest head_ = {};
};

}  // namespace tipstaff::ledger
