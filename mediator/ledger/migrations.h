// Which SQLite files are ledgers, and how an older one becomes a current one.
// docs/ledger-format.md ("The file") describes both; the SQL is in schemas/ledger.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "mediator/ledger/database.h"

namespace tipstaff::ledger {

// PRAGMA application_id of a ledger: "Tipl".
inline constexpr int kApplicationId = 0x5469706C;

struct Migration {
  int version;  // PRAGMA user_version after it; from 1 without gaps
  const char* name;
  const char* sql;
};

// Those of schemas/ledger, built into the program.
absl::Span<const Migration> Migrations();

// The version of the file that `database` is connected to; 0 when it is empty. DataLoss when it is
// not a ledger, FailedPrecondition when it is newer than the last of `migrations`.
absl::StatusOr<int> LedgerVersion(Database& database, absl::Span<const Migration> migrations,
                                  const std::string& path);

// Brings the file to the last of `migrations`, in one transaction. Errors as above.
absl::Status Migrate(Database& database, absl::Span<const Migration> migrations,
                     const std::string& path);

enum class Objects {
  kTables,  // tables and indexes: what a reader relies on
  kAll,     // triggers also, which fire for a writer
};

// DataLoss unless the file's schema is, to the letter, what `migrations` make. A file from
// somebody else could otherwise have a view or virtual table where a table is expected.
absl::Status CheckSchema(Database& database, absl::Span<const Migration> migrations,
                         Objects objects, const std::string& path);

}  // namespace tipstaff::ledger
