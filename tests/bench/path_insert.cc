#include "tests/bench/path_insert.h"

#include <sqlite3.h>

#include <filesystem>

#include "absl/strings/str_cat.h"

namespace tipstaff::bench {
namespace {

absl::Status Problem(sqlite3* database, absl::string_view doing) {
  return absl::InternalError(absl::StrCat(doing, ": ", sqlite3_errmsg(database)));
}

}  // namespace

absl::StatusOr<std::unique_ptr<SyncedInsert>> SyncedInsert::Open(const std::string& path) {
  for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(path + suffix);
  std::unique_ptr<SyncedInsert> made(new SyncedInsert);
  if (sqlite3_open(path.c_str(), &made->database_) != SQLITE_OK) {
    return Problem(made->database_, absl::StrCat("cannot open `", path, "`"));
  }
  constexpr char kSetup[] =
      "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
      "CREATE TABLE calls(seq INTEGER PRIMARY KEY, id TEXT NOT NULL, arguments BLOB NOT NULL);";
  if (sqlite3_exec(made->database_, kSetup, nullptr, nullptr, nullptr) != SQLITE_OK ||
      sqlite3_prepare_v2(made->database_, "INSERT INTO calls(id, arguments) VALUES(?1, ?2)", -1,
                         &made->insert_, nullptr) != SQLITE_OK) {
    return Problem(made->database_, absl::StrCat("cannot set up `", path, "`"));
  }
  return made;
}

SyncedInsert::~SyncedInsert() {
  sqlite3_finalize(insert_);
  sqlite3_close(database_);
}

absl::Status SyncedInsert::Insert(absl::string_view id, absl::string_view arguments) {
  const std::lock_guard lock(mutex_);
  sqlite3_bind_text(insert_, 1, id.data(), static_cast<int>(id.size()), SQLITE_STATIC);
  sqlite3_bind_blob(insert_, 2, arguments.data(), static_cast<int>(arguments.size()),
                    SQLITE_STATIC);
  const int result = sqlite3_step(insert_);
  sqlite3_reset(insert_);
  if (result != SQLITE_DONE) return Problem(database_, "cannot insert");
  return absl::OkStatus();
}

}  // namespace tipstaff::bench
