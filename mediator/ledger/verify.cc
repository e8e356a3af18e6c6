#include "mediator/ledger/verify.h"

#include "absl/strings/str_cat.h"
#include "mediator/ledger/record_hash.h"
#include "mediator/ledger/stored_rows.h"

namespace tipstaff::ledger {

absl::Status ChainVerifier::Add(const StoredRecord& record) {
  if (record.run != run_) {
    return absl::DataLossError(
        absl::StrCat(Place(run_, record.seq), ": it belongs to another run"));
  }
  const uint64_t expected = records_ + 1;
  if (record.seq != expected) {
    return absl::DataLossError(
        absl::StrCat(Place(run_, expected), " is missing: record ", record.seq, " stands there"));
  }
  const base::Digest hash = RecordHash(head_, run_, record.seq, record.record);
  if (hash != record.hash) {
    return absl::DataLossError(
        absl::StrCat(Place(run_, record.seq),
                     ": its content, or the record before it, is not what was recorded"));
  }
  records_ = expected;
  head_ = hash;
  return absl::OkStatus();
}

}  // namespace tipstaff::ledger
