// Adds checkpoints to a ledger while it is written: in the transaction that closes a run, and else
// once in a while with other records.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mediator/ledger/checkpoint.h"
#include "mediator/ledger/database.h"

namespace tipstaff::ledger {

// The writer thread's. `database` must outlive it.
class Checkpoints {
 public:
  // Reads all there are, and the heads of all runs. DataLoss where a note is damaged.
  static absl::StatusOr<std::unique_ptr<Checkpoints>> Open(Database& database, SignNote sign);

  // A run's head in the open transaction.
  void Stage(RunHead head, bool closed, absl::Time time);
  // Adds one to the open transaction when it is due; `anyway`: when a run has changed at all.
  absl::Status AddIfDue(bool anyway = false);
  void Committed();
  void RolledBack();
  // Whether records are not covered by a checkpoint.
  bool behind() const { return changed_.size() > 0; }

 private:
  Checkpoints(Database& database, SignNote sign, Statement insert)
      : database_(database), sign_(std::move(sign)), insert_(std::move(insert)) {}
  absl::Status Read();
  std::vector<RunHead> AllChanged() const;

  Database& database_;
  const SignNote sign_;
  Statement insert_;
  std::string ledger_;
  Heads heads_;    // of durable records
  Heads changed_;  // of them, those since the last checkpoint
  uint64_t number_ = 0;
  base::Digest previous_ = {};
  absl::Time last_ = absl::InfinitePast();    // time of the last checkpoint
  absl::Time newest_ = absl::InfinitePast();  // of the records

  // Of the open transaction.
  Heads staged_;
  bool due_ = false;
  bool added_ = false;
  base::Digest added_text_ = {};
};

}  // namespace tipstaff::ledger
