// A disk that fails when told to: an SQLite VFS in front of the real one.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"

struct sqlite3_vfs;

namespace tipstaff::ledger {

// While it lives, files that SQLite opens go through it; at most one at a time, and it must outlive
// every connection opened meanwhile. Thread-safe.
class FaultyDisk {
 public:
  FaultyDisk();
  ~FaultyDisk();
  FaultyDisk(const FaultyDisk&) = delete;
  FaultyDisk& operator=(const FaultyDisk&) = delete;

  // From now on writes (or syncs) fail with this SQLite result code; 0: they work again.
  void FailWrites(int code) { write_error_ = code; }
  void FailSyncs(int code) { sync_error_ = code; }
  // As FailWrites, of the database itself only: what a checkpoint writes.
  void FailDatabaseWrites(int code) { database_write_error_ = code; }
  int failed_database_writes() const { return failed_database_writes_; }
  // The write-ahead log cannot grow beyond so many bytes, as on a disk that is full; negative: it
  // can.
  void LimitLog(int64_t bytes) { log_limit_ = bytes; }
  // The folder's files, but those with which SQLite shares memory, cannot take more than so many
  // bytes, as on a small disk of their own; negative: they can. Another folder only while no file
  // is open.
  void LimitFolder(const std::string& folder, int64_t bytes) {
    if (folder_ != folder) folder_ = folder;
    folder_limit_ = bytes;
  }
  // As it is, the disk is full.
  void FillFolder(const std::string& folder) { LimitFolder(folder, UsedOf(folder)); }
  static int64_t UsedOf(const std::string& folder);
  // LedgerOptions::take_room on this disk.
  absl::Status TakeRoom(int fd, uint64_t bytes);

  // The operation with that number, from 1 (every opening, write, truncation and sync counts),
  // fails with this SQLite result code; `from_then_on`: and all that follow. Counts anew. 0: none.
  void FailOperation(int64_t number, int code, bool from_then_on);
  int64_t operations() const { return operations_; }

  // Syncs succeed without being made: no power fails in a test, and they are what takes time.
  void PretendToSync() { pretends_ = true; }

  // Syncs so far, and writes of the write-ahead log since its last sync.
  int syncs() const { return syncs_; }
  int unsynced_log_writes() const { return unsynced_log_writes_; }

 private:
  friend struct FaultyFile;
  friend struct Opening;
  bool HasRoomFor(int64_t growth) const;
  // Counts one more; the code that it fails with, or 0.
  int NextOperation();

  std::atomic<int> write_error_{0};
  std::atomic<int> sync_error_{0};
  std::atomic<int> database_write_error_{0};
  std::atomic<int> failed_database_writes_{0};
  std::atomic<int64_t> log_limit_{-1};
  std::string folder_;
  std::atomic<int64_t> folder_limit_{-1};
  std::atomic<int64_t> operations_{0}, fails_at_{0};
  std::atomic<int> operation_error_{0};
  std::atomic<bool> from_then_on_{false}, pretends_{false};
  std::atomic<int> syncs_{0};
  std::atomic<int> unsynced_log_writes_{0};
  std::unique_ptr<sqlite3_vfs> vfs_;
};

}  // namespace tipstaff::ledger
