// Opening a ledger's SQLite file: what is checked and set before anyone reads or writes it.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "mediator/ledger/database.h"

namespace tipstaff::ledger {

// `path` with symbolic links resolved, so that two names of one ledger have one lock.
// NotFound when its folder is not there.
absl::StatusOr<std::string> ResolveLedgerPath(const std::string& path);

// Makes the file (0600) when it is not there, migrates it, and has WAL and synchronous=FULL in
// force. The caller holds the WriterLock. Errors as Ledger::Open.
absl::StatusOr<std::unique_ptr<Database>> OpenForWriting(const std::string& path);

struct ReadableFile {
  std::unique_ptr<Database> database;
  // Set when the folder cannot be written and nobody writes the ledger: read as it lies. Valid
  // only for as long as `<path>-wal` does not appear.
  bool immutable = false;
};

// Errors as Reader::Open; FailedPrecondition also when records are in a `-wal` file that cannot be
// read where it lies.
absl::StatusOr<ReadableFile> OpenForReading(const std::string& path);

}  // namespace tipstaff::ledger
