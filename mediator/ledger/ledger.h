// The ledger: append-only records per run, each run's records in a hash chain, in one SQLite file.
// The format is described byte by byte in docs/ledger-format.md (record_hash.h is its code).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "mediator/base/digest.h"
#include "mediator/call/record.h"
#include "mediator/ledger/checkpoint.h"

namespace tipstaff::ledger {

// What was appended by one Append.
struct Appended {
  uint64_t first_seq;  // of the run, from 1
  uint64_t last_seq;
};

using AppendDone = absl::AnyInvocable<void(absl::StatusOr<Appended>) &&>;

// Content that records name by digest and that replay needs: policy and stub files.
struct Pinned {
  base::Digest digest;
  std::string bytes;
};

// One call of Ledger::Append.
struct ToAppend {
  std::string run;
  std::vector<call::Record> records;
  AppendDone done;
};

struct LedgerOptions {
  // Called on the writer thread, at most once, with what made it impossible to keep the record: a
  // sync or another I/O error, a damaged file, the file gone. Everything after it fails with that
  // status (DataLoss). Unset: one line on stderr, then abort(); a restart reads what is durable.
  absl::AnyInvocable<void(const absl::Status&) &&> on_fatal;
  // Makes the signed note around a checkpoint's text (checkpoint.h); on the writer thread, and on
  // the one that opens and destroys. Unset: no checkpoints are written.
  SignNote sign;
  // Room that is kept beside the ledger for the records with which calls and runs end. While there
  // is no room for that, nothing new is recorded (ResourceExhausted); 0: none is kept.
  uint64_t reserve_bytes = 0;
  // How that room is taken (reserve.h); unset: from the disk.
  std::function<absl::Status(int fd, uint64_t bytes)> take_room;
  // Called on the writer thread when a record of a run that ends something does not fit on the
  // disk: takes out of it what need not be kept, and says in its body that it did. False when there
  // is nothing of the kind. Unset: all of it, or the append fails.
  std::function<bool(const std::string& run, call::Record& record)> shorten;
};

inline constexpr size_t kMaxRunIdBytes = 128;

// The one writer of a ledger. Thread-safe, but `done` must neither Flush() nor destroy it. A writer
// thread commits whatever has queued as one transaction (WAL, synchronous=FULL), so that many
// appends share one sync.
class Ledger {
 public:
  virtual ~Ledger() = default;  // commits what is queued

  // Creates the file when it is not there (its folder must be), migrates an older one, locks it
  // against a second writer; on a full disk, in the room that an earlier writer kept. Errors:
  // NotFound (no folder), FailedPrecondition (a newer version; in use, naming the holder's process
  // id; the place of the kept room is taken), DataLoss (not a ledger), PermissionDenied,
  // ResourceExhausted.
  static absl::StatusOr<std::unique_ptr<Ledger>> Open(const std::string& path,
                                                      LedgerOptions options = {});

  // Appends `records` to the run's chain, all or none, durable when `done` is called with OK.
  // Appends commit in the order of the calls; `done` runs on the writer thread, in that order.
  // After a failed append for a run, whatever the failure, every later one for it fails too
  // (Aborted), until Reset(): nothing can be recorded on top of what was not.
  // Errors: InvalidArgument (no records, a bad run id, kind or time), NotFound (the run was never
  // opened), ResourceExhausted (the disk is full; only what does not fit fails), Unavailable
  // (another program holds the file), Aborted, DataLoss (see LedgerOptions::on_fatal).
  virtual void Append(const std::string& run, std::vector<call::Record> records,
                      AppendDone done) = 0;
  // As Append of each, in order; the writer takes them up together.
  virtual void AppendAll(std::vector<ToAppend> appends) = 0;
  // As Append, for a run's first records; stores the pinned contents with them. Errors also:
  // AlreadyExists, InvalidArgument for a pinned content that does not have its digest.
  virtual void Open(const std::string& run, std::vector<Pinned> pinned,
                    std::vector<call::Record> records, AppendDone done) = 0;
  // Lets appends for the run succeed again, on top of what is durable. Call it when nothing of
  // the run is queued.
  virtual void Reset(const std::string& run) = 0;
  // Blocks until everything queued before is durable or failed.
  virtual void Flush() = 0;
  // False while the disk is full, as of the last second: what is new would fail
  // (ResourceExhausted), and what is appended to its run after it. Always true of a ledger without
  // a reserve.
  virtual bool TakesNew() const = 0;

  // Symbolic links resolved.
  virtual const std::string& path() const = 0;
};

// A record with its place.
struct StoredRecord {
  std::string run;
  uint64_t seq = 0;       // in the run, from 1
  uint64_t position = 0;  // in the ledger, rising
  call::Record record;    // payload only when asked for
  uint64_t payload_size = 0;
  base::Digest hash = {};
};

struct StoredRun {
  std::string run;
  absl::Time opened_at;    // of its first record; InfinitePast when a damaged ledger has none
  uint64_t records = 0;    // the seq of its last one
  bool closed = false;     // its last record is `closed`
  base::Digest head = {};  // hash of the last record
};

struct StoredCheckpoint {
  uint64_t number = 0;
  std::string note;
};

// Read-only access, beside a writer or without one. Never holds a transaction between calls, so a
// slow reader pins nothing. Not thread-safe.
//
// Every call: DataLoss when the file is damaged where it looks, naming the record where it can;
// Unavailable when the file is locked, or was read as it lies (its folder cannot be written) and a
// writer has come: open it again.
class Reader {
 public:
  virtual ~Reader() = default;
  // NotFound, PermissionDenied, DataLoss (not a ledger), FailedPrecondition: a newer version, an
  // older one (a writer migrates it), or records in a -wal file that cannot be read where it lies.
  static absl::StatusOr<std::unique_ptr<Reader>> Open(const std::string& path);

  virtual absl::StatusOr<std::vector<StoredRun>> Runs() = 0;              // in the order of opening
  virtual absl::StatusOr<StoredRun> FindRun(const std::string& run) = 0;  // NotFound

  enum class Payload { kLeave, kFetch };
  // Records of a run with seq >= `from_seq`, at most `limit`, in order. NotFound: no such run.
  virtual absl::StatusOr<std::vector<StoredRecord>> Records(const std::string& run,
                                                            uint64_t from_seq, size_t limit,
                                                            Payload payload) = 0;
  // Records of all runs with position >= `from_position`, at most `limit`, in order.
  virtual absl::StatusOr<std::vector<StoredRecord>> AllRecords(uint64_t from_position, size_t limit,
                                                               Payload payload) = 0;
  // With its payload. NotFound: no such run or record.
  virtual absl::StatusOr<StoredRecord> Record(const std::string& run, uint64_t seq) = 0;
  // NotFound, or DataLoss when the content no longer has its digest.
  virtual absl::StatusOr<std::string> PinnedContent(const base::Digest& digest) = 0;
  virtual absl::StatusOr<absl::Time> NewestTime() = 0;  // InfinitePast when empty

  // Notes with number >= `from_number`, at most `limit`, in order.
  virtual absl::StatusOr<std::vector<StoredCheckpoint>> Checkpoints(uint64_t from_number,
                                                                    size_t limit) = 0;
  virtual absl::StatusOr<StoredCheckpoint> NewestCheckpoint() = 0;  // NotFound: there is none yet
  virtual absl::StatusOr<std::string> Identity() = 0;               // Checkpoint::ledger

  // Recomputes a run's chain, payloads included: OK, or DataLoss that names the record. It cannot
  // see that records are missing at the end, nor a chain that was computed anew: that takes a
  // checkpoint kept elsewhere.
  virtual absl::Status VerifyRun(const std::string& run) = 0;
};

}  // namespace tipstaff::ledger
