// An SQLite connection and its statements, as the ledger needs them: errors as absl::Status, owned
// handles. sqlite3.h stays out of the headers.
//
// How SQLite's result codes come out:
//   ResourceExhausted  the disk is full (also when the shared index cannot grow), or a quota or the
//                      largest size of a file is reached, or no memory
//   DataLoss           the file is damaged or no database, or the disk failed (any other
//   SQLITE_IOERR):
//                      what is on the disk is not known any more
//   Unavailable        another connection holds a lock for longer than the time-out
//   PermissionDenied   the file or its folder cannot be opened or written
//   InvalidArgument    a value is larger than SQLite takes
//   Internal           anything else: a mistake in this library
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tipstaff::ledger {

// A prepared statement, to be run many times. Columns count from 0, parameters from 1.
class Statement {
 public:
  Statement(Statement&& other) noexcept : statement_(other.statement_), bound_(other.bound_) {
    other.statement_ = nullptr;
  }
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  // Bytes are not copied: they must live until Reset(). A failure comes out of the next Step().
  Statement& BindInteger(int parameter, int64_t value);
  Statement& BindText(int parameter, absl::string_view text);
  Statement& BindBlob(int parameter, absl::string_view bytes);
  Statement& BindNull(int parameter);

  // True: there is a row. After false or an error, Reset() before the next use.
  absl::StatusOr<bool> Step();
  // Ends the statement's transaction, if it had one of its own, and forgets what was bound.
  void Reset();
  // Steps over all rows, and resets.
  absl::Status Run();

  // Of the current row; views are valid until the next Step() or Reset().
  int64_t Integer(int column) const;
  absl::string_view Bytes(int column) const;  // text or blob; "" for NULL

 private:
  friend class Database;
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  sqlite3_stmt* statement_;
  int bound_ = 0;  // the first result code of a Bind that was not SQLITE_OK
};

// Resets a statement at the end of a block.
class Resetting {
 public:
  explicit Resetting(Statement& statement) : statement_(statement) {}
  ~Resetting() { statement_.Reset(); }
  Resetting(const Resetting&) = delete;
  Resetting& operator=(const Resetting&) = delete;

 private:
  Statement& statement_;
};

// Not thread-safe, but may move between threads. Its statements must go first.
class Database {
 public:
  enum class Mode {
    kWrite,      // the file must be there
    kRead,       // beside a writer or without one; makes SQLite's -shm file where it must
    kImmutable,  // nobody writes the file, and it has no -wal; touches nothing else
    kMemory,     // `path` is not used
  };
  static absl::StatusOr<std::unique_ptr<Database>> Open(const std::string& path, Mode mode,
                                                        absl::Duration lock_timeout);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  absl::StatusOr<Statement> Prepare(absl::string_view sql);
  // One or more statements whose rows do not matter.
  absl::Status Execute(const std::string& sql);
  // The first column of the only row of `sql`: of a PRAGMA, for instance.
  absl::StatusOr<std::string> Ask(absl::string_view sql);

  bool in_transaction() const;
  // Pages in the write-ahead log as of the last commit; 0 when all of them are in the file as well,
  // so that the log may begin anew.
  int wal_pages() const { return wal_pages_; }
  // Copies the write-ahead log into the file as far as readers allow, never waiting for them.
  absl::Status Checkpoint();
  // Bytes by which that would make the file grow.
  absl::StatusOr<uint64_t> GrowthByCheckpoint();
  // Whether the file is still the one at its path.
  bool StillThere() const;

 private:
  Database(sqlite3* connection, std::string path)
      : connection_(connection), path_(std::move(path)) {}

  sqlite3* connection_;
  std::string path_;
  int wal_pages_ = 0;
};

}  // namespace tipstaff::ledger
