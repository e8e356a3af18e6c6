#include "mediator/review/follower.h"

#include "mediator/base/status.h"

namespace tipstaff::review {
namespace {

using call::RecordKind;

// What a finalize ends with, so far as a ledger can tell at that moment.
bool EndsFinalize(RecordKind kind) {
  return kind == RecordKind::kAccepted || kind == RecordKind::kRefused ||
         kind == RecordKind::kUnknown || kind == RecordKind::kHeld;
}

bool IsFinalize(const Row& row) { return row.decided.decision.effect == call::Effect::kFinalize; }

}  // namespace

absl::StatusOr<std::vector<Row>> Follower::Next(ledger::Reader& reader, absl::Time now) {
  std::vector<Row> rows;
  TIPSTAFF_ASSIGN_OR_RETURN(
      const std::vector<ledger::StoredRecord> page,
      run_.empty() ? reader.AllRecords(next_, kPage, ledger::Reader::Payload::kLeave)
                   : reader.Records(run_, next_, kPage, ledger::Reader::Payload::kLeave));
  for (const ledger::StoredRecord& stored : page) {
    TIPSTAFF_RETURN_IF_ERROR(Take(stored, rows));
    next_ = (run_.empty() ? stored.position : stored.seq) + 1;
  }
  caught_up_ = page.size() < kPage;
  // The outcome of an old one may stand in what is not read yet.
  if (!caught_up_) return rows;
  for (auto& [key, open] : open_) {
    if (open.shown || now - open.row.decided.time < kPatience) continue;
    open.shown = true;
    rows.push_back(open.row);
  }
  return rows;
}

absl::Status Follower::Take(const ledger::StoredRecord& stored, std::vector<Row>& rows) {
  const call::Record& record = stored.record;
  switch (record.kind) {
    case RecordKind::kDecided: {
      TIPSTAFF_ASSIGN_OR_RETURN(run::Decided decided, run::DecodeDecided(record));
      TakeDecided(stored.run, std::move(decided), rows);
      return absl::OkStatus();
    }
    case RecordKind::kClosed:
      over_ = !run_.empty();
      // What is open in it will have no outcome.
      for (auto it = open_.lower_bound({stored.run, 0});
           it != open_.end() && it->first.first == stored.run;) {
        if (!it->second.shown) rows.push_back(std::move(it->second.row));
        it = open_.erase(it);
      }
      return absl::OkStatus();
    case RecordKind::kOutcome: {
      TIPSTAFF_ASSIGN_OR_RETURN(run::Settled settled, run::DecodeSettled(record));
      const auto it = open_.find({stored.run, settled.number});
      if (it == open_.end()) return absl::OkStatus();  // delivered again
      it->second.row.settled = std::move(settled);
      if (IsFinalize(it->second.row)) return absl::OkStatus();
      rows.push_back(std::move(it->second.row));
      open_.erase(it);
      return absl::OkStatus();
    }
    default:
      break;
  }
  if (!EndsFinalize(record.kind)) return absl::OkStatus();
  TIPSTAFF_ASSIGN_OR_RETURN(const uint64_t number, run::DecodeStep(record));
  const auto it = open_.find({stored.run, number});
  if (it == open_.end() || !IsFinalize(it->second.row)) return absl::OkStatus();
  it->second.row.steps.push_back({record.kind, record.time});
  rows.push_back(std::move(it->second.row));
  open_.erase(it);
  return absl::OkStatus();
}

void Follower::TakeDecided(const std::string& run, run::Decided decided, std::vector<Row>& rows) {
  const uint64_t number = decided.number;
  const bool acts = decided.decision.verdict == call::Verdict::kAllow && decided.same_as == 0;
  Row row{run, std::move(decided), std::nullopt};
  if (acts) {
    open_.emplace(Key{run, number}, Open{std::move(row)});
  } else {
    rows.push_back(std::move(row));
  }
}

}  // namespace tipstaff::review
