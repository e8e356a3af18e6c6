// What the writer thread does to the database: rows of one transaction, and the heads of the
// chains that they continue.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mediator/ledger/database.h"
#include "mediator/ledger/ledger.h"

namespace tipstaff::ledger {

// The last record of a run's chain.
struct Head {
  int64_t run_no = 0;
  uint64_t seq = 0;
  base::Digest hash = {};
};

// Not thread-safe. `database` must outlive it. An error of any function is the database's: roll
// back.
class ChainStore {
 public:
  static absl::StatusOr<std::unique_ptr<ChainStore>> Open(Database& database);

  absl::Status Begin();
  // As of the open transaction; nullopt: no such run.
  absl::StatusOr<std::optional<Head>> FindHead(const std::string& run);
  // A run without records; its head is before the first.
  absl::StatusOr<Head> AddRun(const std::string& run);
  absl::Status AddPinned(const Pinned& pinned);
  // Adds the records after `head`, the run's.
  absl::StatusOr<Appended> AddRecords(const std::string& run, Head head,
                                      const std::vector<call::Record>& records);
  // Durable when OK. After an error, nothing of the transaction is.
  absl::Status Commit();
  absl::Status RollBack();

 private:
  struct Staged {
    Head head;
    bool closed = false;
  };

  ChainStore(Database& database, std::vector<Statement> statements)
      : database_(database), statements_(std::move(statements)) {}
  enum Sql { kBegin, kCommit, kRollBack, kFindHead, kAddRun, kAddPinned, kAddRecord };

  Database& database_;
  std::vector<Statement> statements_;                // by Sql
  absl::flat_hash_map<std::string, Head> heads_;     // durable, of the runs not closed
  absl::flat_hash_map<std::string, Staged> staged_;  // of the open transaction
};

}  // namespace tipstaff::ledger
