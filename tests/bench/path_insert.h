// One synced insert, as a ledger would make it that knows no batches.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tipstaff::bench {

// Thread-safe.
class SyncedInsert {
 public:
  // Makes the database anew: WAL, synchronous=FULL.
  static absl::StatusOr<std::unique_ptr<SyncedInsert>> Open(const std::string& path);
  ~SyncedInsert();

  // On the disk when it returns.
  absl::Status Insert(absl::string_view id, absl::string_view arguments);

 private:
  SyncedInsert() = default;

  std::mutex mutex_;
  sqlite3* database_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
};

}  // namespace tipstaff::bench
