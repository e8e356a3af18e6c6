// The ledger: append-only records per run, each run's records in a hash chain, in one SQLite file.
// The format is described byte by byte in docs/ledger-format.md (record_hash.h is its code).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "mediator/base/digest.h"
#include "mediator/call/record.h"

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

// The one writer of a ledger. Thread-safe. A writer thread commits whatever has queued as one
// transaction (WAL, synchronous=FULL), so that many appends share one sync.
class Ledger {
 public:
  virtual ~Ledger() = default;  // commits what is queued

  // Creates the file when it is not there (its folder must be), migrates an older one, locks it
  // against a second writer. Errors: NotFound (no folder), FailedPrecondition (a newer version; in
  // use, naming the holder's process id), DataLoss (not a ledger), PermissionDenied.
  static absl::StatusOr<std::unique_ptr<Ledger>> Open(const std::string& path);

  // Appends `records` to the run's chain, all or none, durable when `done` is called with OK.
  // Appends commit in the order of the calls; `done` runs on the writer thread, in that order.
  // After a failed append for a run every later one for it fails too (Aborted), until Reset():
  // nothing can be recorded on top of what was not.
  virtual void Append(const std::string& run, std::vector<call::Record> records,
                      AppendDone done) = 0;
  // As Append, for a run's first records; stores the pinned contents with them.
  virtual void Open(const std::string& run, std::vector<Pinned> pinned,
                    std::vector<call::Record> records, AppendDone done) = 0;
  // Lets appends for the run succeed again, on top of what is durable. Call it when nothing of
  // the run is queued.
  virtual void Reset(const std::string& run) = 0;
  // Blocks until everything queued before is durable or failed.
  virtual void Flush() = 0;

  virtual const std::string& path() const = 0;
};

// A record with its place.
struct StoredRecord {
  std::string run;
  uint64_t seq = 0;      // in the run, from 1
  uint64_t position = 0; // in the ledger, rising
  call::Record record;   // payload only when asked for
  uint64_t payload_size = 0;
  base::Digest hash;
};

struct StoredRun {
  std::string run;
  absl::Time opened_at;
  uint64_t records = 0;
  bool closed = false;      // its last record is `closed`
  base::Digest head;        // hash of the last record
};

// Read-only access, beside a writer or without one. Never holds a transaction between calls, so a
// slow reader pins nothing. Not thread-safe.
class Reader {
 public:
  virtual ~Reader() = default;
  // NotFound, FailedPrecondition (a newer version), DataLoss (not a ledger).
  static absl::StatusOr<std::unique_ptr<Reader>> Open(const std::string& path);

  virtual absl::StatusOr<std::vector<StoredRun>> Runs() = 0;  // in the order of opening
  virtual absl::StatusOr<StoredRun> FindRun(const std::string& run) = 0;  // NotFound

  enum class Payload { kLeave, kFetch };
  // Records of a run with seq >= `from_seq`, at most `limit`, in order.
  virtual absl::StatusOr<std::vector<StoredRecord>> Records(const std::string& run,
                                                            uint64_t from_seq, size_t limit,
                                                            Payload payload) = 0;
  // Records of all runs with position >= `from_position`, at most `limit`, in order.
  virtual absl::StatusOr<std::vector<StoredRecord>> AllRecords(uint64_t from_position, size_t limit,
                                                               Payload payload) = 0;
  virtual absl::StatusOr<StoredRecord> Record(const std::string& run, uint64_t seq) = 0;
  virtual absl::StatusOr<std::string> PinnedContent(const base::Digest& digest) = 0;  // NotFound
  virtual absl::StatusOr<absl::Time> NewestTime() = 0;  // InfinitePast when empty

  // Recomputes a run's chain: OK, or DataLoss that names the record.
  virtual absl::Status VerifyRun(const std::string& run) = 0;
};

}  // namespace tipstaff::ledger
