#include "mediator/ledger/chain_store.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "mediator/base/status.h"
#include "mediator/ledger/record_hash.h"

namespace tipstaff::ledger {
namespace {

// In the order of ChainStore::Sql.
constexpr absl::string_view kStatements[] = {
    "BEGIN IMMEDIATE",
    "COMMIT",
    "ROLLBACK",
    "SELECT run.run_no, seq, hash FROM run JOIN record USING (run_no) WHERE run = ?1 "
    "ORDER BY seq DESC LIMIT 1",
    "INSERT INTO run (run) VALUES (?1) RETURNING run_no",
    "INSERT INTO pinned (digest, bytes) VALUES (?1, ?2) ON CONFLICT (digest) DO NOTHING",
    "INSERT INTO record (run_no, seq, kind, time_us, hash, body, payload) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
};

absl::string_view BytesOf(const base::Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace

absl::StatusOr<std::unique_ptr<ChainStore>> ChainStore::Open(Database& database) {
  std::vector<Statement> statements;
  for (const absl::string_view sql : kStatements) {
    TIPSTAFF_ASSIGN_OR_RETURN(Statement statement, database.Prepare(sql));
    statements.push_back(std::move(statement));
  }
  return std::unique_ptr<ChainStore>(new ChainStore(database, std::move(statements)));
}

absl::Status ChainStore::Begin() { return statements_[kBegin].Run(); }

absl::StatusOr<std::optional<Head>> ChainStore::FindHead(const std::string& run) {
  if (const auto it = staged_.find(run); it != staged_.end()) return it->second.head;
  if (const auto it = heads_.find(run); it != heads_.end()) return it->second;
  Statement& statement = statements_[kFindHead].BindText(1, run);
  const Resetting resetting(statement);
  TIPSTAFF_ASSIGN_OR_RETURN(const bool row, statement.Step());
  if (!row) return std::nullopt;
  Head head{statement.Integer(0), static_cast<uint64_t>(statement.Integer(1))};
  const absl::string_view hash = statement.Bytes(2);
  if (hash.size() != head.hash.size()) {
    return absl::DataLossError(
        absl::StrCat("run `", run, "` record ", head.seq, ": its hash is not 32 bytes long"));
  }
  std::memcpy(head.hash.data(), hash.data(), hash.size());
  return head;
}

absl::StatusOr<Head> ChainStore::AddRun(const std::string& run) {
  Statement& statement = statements_[kAddRun].BindText(1, run);
  const Resetting resetting(statement);
  TIPSTAFF_ASSIGN_OR_RETURN(const bool row, statement.Step());
  if (!row) return absl::InternalError("sqlite gave a new run no number");
  return Head{statement.Integer(0), 0, kChainStart};
}

absl::Status ChainStore::AddPinned(const Pinned& pinned) {
  return statements_[kAddPinned]
      .BindBlob(1, BytesOf(pinned.digest))
      .BindBlob(2, pinned.bytes)
      .Run();
}

absl::StatusOr<Appended> ChainStore::AddRecords(const std::string& run, Head head,
                                                const std::vector<call::Record>& records) {
  Statement& statement = statements_[kAddRecord];
  const uint64_t first = head.seq + 1;
  for (const call::Record& record : records) {
    head.hash = RecordHash(head.hash, run, ++head.seq, record);
    statement.BindInteger(1, head.run_no)
        .BindInteger(2, static_cast<int64_t>(head.seq))
        .BindInteger(3, static_cast<int64_t>(record.kind))
        .BindInteger(4, absl::ToUnixMicros(record.time))
        .BindBlob(5, BytesOf(head.hash))
        .BindText(6, record.body);
    if (record.payload.empty()) {
      statement.BindNull(7);
    } else {
      statement.BindBlob(7, record.payload);
    }
    TIPSTAFF_RETURN_IF_ERROR(statement.Run());
  }
  staged_[run] = {head, records.back().kind == call::RecordKind::kClosed};
  return Appended{first, head.seq};
}

absl::Status ChainStore::Commit() {
  TIPSTAFF_RETURN_IF_ERROR(statements_[kCommit].Run());
  for (auto& [run, staged] : staged_) {
    if (staged.closed) {
      heads_.erase(run);
    } else {
      heads_[run] = staged.head;
    }
  }
  staged_.clear();
  return absl::OkStatus();
}

absl::Status ChainStore::RollBack() {
  staged_.clear();
  // SQLite rolls back by itself after some errors.
  return database_.in_transaction() ? statements_[kRollBack].Run() : absl::OkStatus();
}

}  // namespace tipstaff::ledger
