// The implementation of Reader. Each call runs statements of its own short transactions; as records
// only ever come to a ledger, two of them in a row see consistent data.
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/status.h"
#include "mediator/ledger/database.h"
#include "mediator/ledger/ledger.h"
#include "mediator/ledger/ledger_file.h"
#include "mediator/ledger/stored_rows.h"
#include "mediator/ledger/verify.h"

namespace tipstaff::ledger {
namespace {

enum Sql {
  kRuns,
  kOneRun,
  kRunNumber,
  kRecords,
  kRecordsWithPayload,
  kAllRecords,
  kAllRecordsWithPayload,
  kPinned,
  kNewestTime,
  kCheckpoints,
  kNewestCheckpoint,
  kIdentity,
  kSqlCount
};

// Outer joins: a damaged ledger shows what it has, rather than hiding it.
#define RUN_COLUMNS                                                      \
  "SELECT run, first.time_us, last.seq, last.kind, last.hash FROM run "  \
  "LEFT JOIN record AS first ON first.run_no = run.run_no AND "          \
  "first.seq = (SELECT min(seq) FROM record WHERE run_no = run.run_no) " \
  "LEFT JOIN record AS last ON last.run_no = run.run_no AND "            \
  "last.seq = (SELECT max(seq) FROM record WHERE run_no = run.run_no) "
// length() of a blob does not read it.
#define RECORD_COLUMNS "SELECT position, run, seq, kind, time_us, hash, body, length(payload)"
#define RECORD_SOURCE " FROM record LEFT JOIN run USING (run_no) "

constexpr absl::string_view kStatements[kSqlCount] = {
    RUN_COLUMNS "ORDER BY run.run_no",
    RUN_COLUMNS "WHERE run.run = ?1",
    "SELECT run_no FROM run WHERE run = ?1",
    RECORD_COLUMNS RECORD_SOURCE "WHERE run_no = ?1 AND seq >= ?2 ORDER BY seq LIMIT ?3",
    RECORD_COLUMNS ", payload" RECORD_SOURCE
                   "WHERE run_no = ?1 AND seq >= ?2 ORDER BY seq LIMIT ?3",
    RECORD_COLUMNS RECORD_SOURCE "WHERE position >= ?1 ORDER BY position LIMIT ?2",
    RECORD_COLUMNS ", payload" RECORD_SOURCE "WHERE position >= ?1 ORDER BY position LIMIT ?2",
    "SELECT bytes FROM pinned WHERE digest = ?1",
    // Times do not run back, but for those of runs whose appends were under way together.
    "SELECT max(time_us) FROM (SELECT time_us FROM record ORDER BY position DESC LIMIT 256) "
    "HAVING count(*) > 0",
    "SELECT number, note FROM checkpoint WHERE number >= ?1 ORDER BY number LIMIT ?2",
    "SELECT number, note FROM checkpoint ORDER BY number DESC LIMIT 1",
    "SELECT lower(hex(id)) FROM identity",
};
#undef RUN_COLUMNS
#undef RECORD_COLUMNS
#undef RECORD_SOURCE

// What verification holds in memory at once.
constexpr size_t kVerifyRecords = 256;
constexpr size_t kVerifyBytes = 8 << 20;

int64_t Clamp(uint64_t number) {
  return static_cast<int64_t>(std::min<uint64_t>(number, INT64_MAX));
}

absl::Status NoRun(const std::string& run) {
  return absl::NotFoundError(
      absl::StrCat("there is no run `", base::EscapeAndCut(run, 80), "` in the ledger"));
}

StoredCheckpoint CheckpointOfRow(const Statement& row) {
  return {static_cast<uint64_t>(row.Integer(0)), std::string(row.Bytes(1))};
}

class SqliteReader final : public Reader {
 public:
  SqliteReader(std::string path, ReadableFile file)
      : path_(std::move(path)), immutable_(file.immutable), database_(std::move(file.database)) {}

  absl::StatusOr<std::vector<StoredRun>> Runs() override;
  absl::StatusOr<StoredRun> FindRun(const std::string& run) override;
  absl::StatusOr<std::vector<StoredRecord>> Records(const std::string& run, uint64_t from_seq,
                                                    size_t limit, Payload payload) override;
  absl::StatusOr<std::vector<StoredRecord>> AllRecords(uint64_t from_position, size_t limit,
                                                       Payload payload) override;
  absl::StatusOr<StoredRecord> Record(const std::string& run, uint64_t seq) override;
  absl::StatusOr<std::string> PinnedContent(const base::Digest& digest) override;
  absl::StatusOr<absl::Time> NewestTime() override;
  absl::StatusOr<std::vector<StoredCheckpoint>> Checkpoints(uint64_t from_number,
                                                            size_t limit) override;
  absl::StatusOr<StoredCheckpoint> NewestCheckpoint() override;
  absl::StatusOr<std::string> Identity() override;
  absl::Status VerifyRun(const std::string& run) override;

 private:
  // A statement without bindings, prepared at its first use.
  absl::StatusOr<Statement*> Use(Sql sql);
  absl::StatusOr<int64_t> RunNumber(const std::string& run);
  // Stops after `most_bytes`, but not before the first record.
  absl::StatusOr<std::vector<StoredRecord>> ReadRows(Statement& statement, Payload payload,
                                                     size_t most_bytes);
  absl::StatusOr<std::vector<StoredRecord>> ReadRun(int64_t run_no, uint64_t from_seq, size_t limit,
                                                    Payload payload, size_t most_bytes);

  const std::string path_;
  const bool immutable_;
  const std::unique_ptr<Database> database_;
  std::array<std::optional<Statement>, kSqlCount> statements_;  // go before the database
};

absl::StatusOr<Statement*> SqliteReader::Use(Sql sql) {
  struct stat ignored;
  if (immutable_ && ::stat(absl::StrCat(path_, "-wal").c_str(), &ignored) == 0) {
    return absl::UnavailableError(
        absl::StrCat("a writer has opened ledger `", path_, "`: read it again"));
  }
  std::optional<Statement>& statement = statements_[sql];
  if (!statement) {
    TIPSTAFF_ASSIGN_OR_RETURN(Statement prepared, database_->Prepare(kStatements[sql]));
    statement.emplace(std::move(prepared));
  }
  return &*statement;
}

absl::StatusOr<std::vector<StoredRun>> SqliteReader::Runs() {
  TIPSTAFF_ASSIGN_OR_RETURN(Statement* const statement, Use(kRuns));
  const Resetting resetting(*statement);
  std::vector<StoredRun> runs;
  for (;;) {
    TIPSTAFF_ASSIGN_OR_RETURN(const bool row, statement->Step());
    if (!row) return runs;
    TIPSTAFF_ASSIGN_OR_RETURN(StoredRun run, RunOfRow(*statement));
    runs.push_back(std::move(run));
  }
}

absl::StatusOr<StoredRun> SqliteReader::FindRun(const std::string& run) {
  TIPSTAFF_ASSIGN_OR_RETURN(Statement* const statement, Use(kOneRun));
  const Resetting resetting(*statement);
  statement->BindText(1, run);
  TIPSTAFF_ASSIGN_OR_RETURN(const bool row, statement->Step());
  if (!row) return NoRun(run);
  return RunOfRow(*statement);
}

absl::StatusOr<int64_t> SqliteReader::RunNumber(const std::string& run) {
  TIPSTAFF_ASSIGN_OR_RETURN(Statement* const statement, Use(kRunNumber));
  const Resetting resetting(*statement);
  statement->BindText(1, run);
  TIPSTAFF_ASSIGN_OR_RETURN(const bool row, statement->Step());
  if (!row) return NoRun(run);
  return statement->Integer(0);
}

absl::StatusOr<std::vector<StoredRecord>> SqliteReader::ReadRows(Statement& statement,
                                                                 Payload payload,
                                                                 size_t most_bytes) {
  std::vector<StoredRecord> records;
  size_t bytes = 0;
  while (bytes < most_bytes) {
    TIPSTAFF_ASSIGN_OR_RETURN(const bool row, statement.Step());
    if (!row) break;
    TIPSTAFF_ASSIGN_OR_RETURN(StoredRecord record,
                              RecordOfRow(statement, payload == Payload::kFetch));
    bytes += record.record.body.size() + record.record.payload.size();
    records.push_back(std::move(record));
  }
  return records;
}

absl::StatusOr<std::vector<StoredRecord>> SqliteReader::ReadRun(int64_t run_no, uint64_t from_seq,
                                                                size_t limit, Payload payload,
                                                                size_t most_bytes) {
  TIPSTAFF_ASSIGN_OR_RETURN(Statement* const statement,
                            Use(payload == Payload::kFetch ? kRecordsWithPayload : kRecords));
  const Resetting resetting(*statement);
  statement->BindInteger(1, run_no).BindInteger(2, Clamp(from_seq)).BindInteger(3, Clamp(limit));
  return ReadRows(*statement, payload, most_bytes);
}

absl::StatusOr<std::vector<StoredRecord>> SqliteReader::Records(const std::string& run,
                                                                uint64_t from_seq, size_t limit,
                                                                Payload payload) {
  TIPSTAFF_ASSIGN_OR_RETURN(const int64_t run_no, RunNumber(run));
  return ReadRun(run_no, from_seq, limit, payload, SIZE_MAX);
}

absl::StatusOr<std::vector<StoredRecord>> SqliteReader::AllRecords(uint64_t from_position,
                                                                   size_t limit, Payload payload) {
  TIPSTAFF_ASSIGN_OR_RETURN(Statement* const statement,
                            Use(payload == Payload::kFetch ? kAllRecordsWithPayload : kAllRecords));
  const Resetting resetting(*statement);
  statement->BindInteger(1, Clamp(from_position)).BindInteger(2, Clamp(limit));
  return ReadRows(*statement, payload, SIZE_MAX);
}

absl::StatusOr<StoredRecord> SqliteReader::Record(const std::string& run, uint64_t seq) {
  TIPSTAFF_ASSIGN_OR_RETURN(std::vector<StoredRecord> records,
                            Records(run, seq, 1, Payload::kFetch));
  if (records.empty() || records[0].seq != seq) {
    return absl::NotFoundError(absl::StrCat("there is no ", Place(run, seq)));
  }
  return std::move(records[0]);
}

absl::StatusOr<std::string> SqliteReader::PinnedContent(const base::Digest& digest) {
  TIPSTAFF_ASSIGN_OR_RETURN(Statement* const statement, Use(kPinned));
  const Resetting resetting(*statement);
  statement->BindBlob(1, {reinterpret_cast<const char*>(digest.data()), digest.size()});
  TIPSTAFF_ASSIGN_OR_RETURN(const bool row, statement->Step());
  if (!row) {
    return absl::NotFoundError(
        absl::StrCat("the ledger holds no content with digest ", base::ToHex(digest)));
  }
  std::string content(statement->Bytes(0));
  if (base::DigestOf(content) != digest) {
    return absl::DataLossError(absl::StrCat("the content kept for digest ", base::ToHex(digest),
                                            " is not what was recorded"));
  }
  return content;
}

absl::StatusOr<absl::Time> SqliteReader::NewestTime() {
  TIPSTAFF_ASSIGN_OR_RETURN(Statement* const statement, Use(kNewestTime));
  const Resetting resetting(*statement);
  TIPSTAFF_ASSIGN_OR_RETURN(const bool row, statement->Step());
  return row ? absl::FromUnixMicros(statement->Integer(0)) : absl::InfinitePast();
}

absl::StatusOr<std::vector<StoredCheckpoint>> SqliteReader::Checkpoints(uint64_t from_number,
                                                                        size_t limit) {
  TIPSTAFF_ASSIGN_OR_RETURN(Statement* const statement, Use(kCheckpoints));
  const Resetting resetting(*statement);
  statement->BindInteger(1, Clamp(from_number)).BindInteger(2, Clamp(limit));
  std::vector<StoredCheckpoint> checkpoints;
  for (;;) {
    TIPSTAFF_ASSIGN_OR_RETURN(const bool row, statement->Step());
    if (!row) return checkpoints;
    checkpoints.push_back(CheckpointOfRow(*statement));
  }
}

absl::StatusOr<StoredCheckpoint> SqliteReader::NewestCheckpoint() {
  TIPSTAFF_ASSIGN_OR_RETURN(Statement* const statement, Use(kNewestCheckpoint));
  const Resetting resetting(*statement);
  TIPSTAFF_ASSIGN_OR_RETURN(const bool row, statement->Step());
  if (row) return CheckpointOfRow(*statement);
  return absl::NotFoundError("the ledger has no checkpoint yet: one is signed when a run closes");
}

absl::StatusOr<std::string> SqliteReader::Identity() {
  TIPSTAFF_ASSIGN_OR_RETURN(Statement* const statement, Use(kIdentity));
  const Resetting resetting(*statement);
  TIPSTAFF_ASSIGN_OR_RETURN(const bool row, statement->Step());
  if (!row) return absl::DataLossError("the ledger has lost its identity");
  return std::string(statement->Bytes(0));
}

absl::Status SqliteReader::VerifyRun(const std::string& run) {
  TIPSTAFF_ASSIGN_OR_RETURN(const int64_t run_no, RunNumber(run));
  ChainVerifier verifier(run);
  uint64_t position = 0;
  // Record 0 does not exist; asking for it finds one that a forger put there.
  for (uint64_t from = 0;; from = verifier.records() + 1) {
    TIPSTAFF_ASSIGN_OR_RETURN(const std::vector<StoredRecord> records,
                              ReadRun(run_no, from, kVerifyRecords, Payload::kFetch, kVerifyBytes));
    if (records.empty()) break;
    for (const StoredRecord& record : records) {
      TIPSTAFF_RETURN_IF_ERROR(verifier.Add(record));
      if (record.position <= position) {
        return absl::DataLossError(
            absl::StrCat(Place(run, record.seq), ": it was moved before an earlier one"));
      }
      position = record.position;
    }
  }
  if (verifier.records() > 0) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(Place(run, 1), " is missing: the run has none"));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Reader>> Reader::Open(const std::string& path) {
  TIPSTAFF_ASSIGN_OR_RETURN(const std::string resolved, ResolveLedgerPath(path));
  TIPSTAFF_ASSIGN_OR_RETURN(ReadableFile file, OpenForReading(resolved));
  return std::make_unique<SqliteReader>(resolved, std::move(file));
}

}  // namespace tipstaff::ledger
