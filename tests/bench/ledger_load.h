// Records such as a run makes, appended to a ledger.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "mediator/ledger/ledger.h"

namespace tipstaff::bench {

// Opens runs of its own and appends the records of calls to them: a decision with arguments of 512
// bytes, an outcome of 256, and so on; each run has so many records that it is closed after.
// Not thread-safe.
class LedgerLoad {
 public:
  static absl::StatusOr<std::unique_ptr<LedgerLoad>> Open(const std::string& path);

  // Appends `count` records, `in_flight` appends of one record at a time; the records per second.
  absl::StatusOr<double> Append(uint64_t count, int in_flight);
  uint64_t records() const { return records_; }

 private:
  explicit LedgerLoad(std::unique_ptr<ledger::Ledger> ledger) : ledger_(std::move(ledger)) {}
  std::vector<call::Record> Next();

  const std::unique_ptr<ledger::Ledger> ledger_;
  std::string run_;
  uint64_t in_run_ = 0, records_ = 0;
};

}  // namespace tipstaff::bench
