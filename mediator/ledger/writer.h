// The implementation of Ledger: a queue, and the thread that commits what is in it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/types/span.h"
#include "mediator/ledger/chain_store.h"
#include "mediator/ledger/checkpoints.h"
#include "mediator/ledger/database.h"
#include "mediator/ledger/ledger.h"
#include "mediator/ledger/reserve.h"
#include "mediator/ledger/writer_lock.h"

namespace tipstaff::ledger {

// One call of Append or Open, until its `done` has run.
struct Request {
  std::string run;
  bool opens = false;
  std::vector<Pinned> pinned;
  std::vector<call::Record> records;
  AppendDone done;
  std::optional<absl::StatusOr<Appended>> result;
};

class Writer final : public Ledger {
 public:
  Writer(std::string path, LedgerOptions options, WriterLock lock,
         std::unique_ptr<Database> database, std::unique_ptr<ChainStore> store,
         std::unique_ptr<Checkpoints> checkpoints, std::unique_ptr<Reserve> reserve);
  ~Writer() override;

  void Append(const std::string& run, std::vector<call::Record> records, AppendDone done) override;
  void AppendAll(std::vector<ToAppend> appends) override;
  void Open(const std::string& run, std::vector<Pinned> pinned, std::vector<call::Record> records,
            AppendDone done) override;
  void Reset(const std::string& run) override;
  void Flush() override;
  bool TakesNew() const override { return !full_; }
  const std::string& path() const override { return path_; }

 private:
  void Enqueue(std::vector<Request> requests);

  // The rest is the writer thread's.
  void Work();
  // Commits the requests and calls their `done`s.
  void Process(absl::Span<Request> requests);
  // Settles every request that has no result yet, in one transaction; on an error, none of them.
  // Not while the reserve is not whole, where one needs more than that.
  absl::Status CommitTogether(absl::Span<Request> requests);
  absl::Status Commit(absl::Span<Request> requests);
  // Adds the request to the open transaction, or gives it a result if it must be refused.
  absl::Status Stage(Request& request, std::optional<Appended>& staged);
  // One alone, on what was reserved where it brings something to its end; then without what need
  // not be kept of it.
  absl::Status CommitAlone(Request& request);
  void Shorten(Request& request);
  // OK when it is worth while to try once more what failed with `full`.
  absl::Status MakeRoom(const absl::Status& full);
  void Refuse(Request& request, absl::Status why);
  // After something was committed or refused, and now and then: whether the disk is full.
  void NoteRoom(absl::Span<const Request> requests);
  void LookForRoom();
  bool HasFailed(const std::string& run);
  // Of SQLite's write-ahead log.
  void EmptyLogWhenDue();
  absl::Status EmptyLogOnReserve();
  // At the end, where records came after the last checkpoint.
  void AddLastCheckpoint();
  void Break(const absl::Status& why);

  const std::string path_;
  LedgerOptions options_;
  const WriterLock lock_;
  const std::unique_ptr<Database> database_;
  const std::unique_ptr<ChainStore> store_;
  const std::unique_ptr<Checkpoints> checkpoints_;
  const std::unique_ptr<Reserve> reserve_;
  absl::Time next_look_ = absl::InfinitePast();  // for room, while the disk is full
  absl::Status broken_;  // the failure after which nothing is written any more

  std::atomic<bool> full_;
  std::mutex mutex_;
  std::condition_variable work_or_stop_;
  std::condition_variable progress_;
  std::vector<Request> queue_;  // guarded by mutex_, as all below
  uint64_t enqueued_ = 0;
  uint64_t finished_ = 0;
  bool stopping_ = false;
  absl::flat_hash_set<std::string> failed_;  // runs that wait for a Reset

  std::thread thread_;  // last: it uses the others
};

}  // namespace tipstaff::ledger
