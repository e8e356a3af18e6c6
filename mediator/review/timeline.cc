#include "mediator/review/timeline.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/ids.h"
#include "mediator/base/status.h"

namespace tipstaff::review {
namespace {

constexpr size_t kPage = 500;

bool IsStep(call::RecordKind kind) {
  switch (kind) {
    case call::RecordKind::kDispatched:
    case call::RecordKind::kSealing:
    case call::RecordKind::kSubmitting:
    case call::RecordKind::kAccepted:
    case call::RecordKind::kRefused:
    case call::RecordKind::kUnknown:
    case call::RecordKind::kHeld:
    case call::RecordKind::kResolved:
    case call::RecordKind::kApproval:
      return true;
    default:
      return false;
  }
}

// Adds a record that follows a decision to the row of its call, which `find` looks up by its number
// (null when there is none).
template <typename Find>
absl::Status Follow(const call::Record& record, Find find) {
  if (record.kind == call::RecordKind::kOutcome) {
    TIPSTAFF_ASSIGN_OR_RETURN(run::Settled settled, run::DecodeSettled(record));
    if (Row* row = find(settled.number)) row->settled = std::move(settled);
    return absl::OkStatus();
  }
  if (!IsStep(record.kind)) return absl::OkStatus();
  TIPSTAFF_ASSIGN_OR_RETURN(const uint64_t number, run::DecodeStep(record));
  Row* row = find(number);
  const bool said = record.kind == call::RecordKind::kApproval;
  if (row == nullptr || (!said && row->decided.decision.effect != call::Effect::kFinalize)) {
    return absl::OkStatus();
  }
  Step step{record.kind, record.time};
  if (said) {
    TIPSTAFF_ASSIGN_OR_RETURN(step.approval, run::DecodeApproval(record));
  }
  if (record.kind == call::RecordKind::kResolved) {
    TIPSTAFF_ASSIGN_OR_RETURN(step.resolved, run::DecodeResolved(record));
  }
  row->steps.push_back(std::move(step));
  return absl::OkStatus();
}

// Whether it is one of the call with that number.
absl::StatusOr<bool> IsAbout(const call::Record& record, uint64_t number) {
  const bool of_a_call = record.kind == call::RecordKind::kDecided ||
                         record.kind == call::RecordKind::kOutcome || IsStep(record.kind);
  if (!of_a_call) return false;
  TIPSTAFF_ASSIGN_OR_RETURN(const uint64_t about, run::DecodeStep(record));
  return about == number;
}

}  // namespace

std::string Row::id() const { return absl::StrCat(run, "#", decided.number); }

std::optional<DecisionId> ParseDecisionId(absl::string_view text) {
  const size_t mark = text.find('#');
  DecisionId id;
  if (mark == absl::string_view::npos || !base::IsRunId(text.substr(0, mark)) ||
      !absl::SimpleAtoi(text.substr(mark + 1), &id.number) || id.number == 0) {
    return std::nullopt;
  }
  id.run = std::string(text.substr(0, mark));
  return id;
}

Timeline::Timeline(ledger::Reader& reader, std::string run, ledger::Reader::Payload payload)
    : reader_(reader), run_(std::move(run)), payload_(payload) {}

absl::StatusOr<std::vector<Row>> Timeline::Next() {
  while (complete_ == 0 && !at_end_) TIPSTAFF_RETURN_IF_ERROR(ReadPage());
  const size_t ready = at_end_ ? rows_.size() : complete_;
  std::vector<Row> rows(std::make_move_iterator(rows_.begin()),
                        std::make_move_iterator(rows_.begin() + ready));
  rows_.erase(rows_.begin(), rows_.begin() + ready);
  complete_ = 0;
  return rows;
}

absl::Status Timeline::ReadPage() {
  complete_ = rows_.size();
  TIPSTAFF_ASSIGN_OR_RETURN(const std::vector<ledger::StoredRecord> page,
                            run_.empty() ? reader_.AllRecords(next_, kPage, payload_)
                                         : reader_.Records(run_, next_, kPage, payload_));
  at_end_ = page.size() < kPage;
  for (const ledger::StoredRecord& stored : page) {
    TIPSTAFF_RETURN_IF_ERROR(Take(stored));
    next_ = (run_.empty() ? stored.position : stored.seq) + 1;
  }
  return absl::OkStatus();
}

absl::Status Timeline::Take(const ledger::StoredRecord& stored) {
  if (stored.record.kind == call::RecordKind::kDecided) {
    TIPSTAFF_ASSIGN_OR_RETURN(run::Decided decided, run::DecodeDecided(stored.record));
    rows_.push_back({stored.run, std::move(decided), std::nullopt});
    return absl::OkStatus();
  }
  return Follow(stored.record, [&](uint64_t number) {
    const auto row = std::find_if(rows_.rbegin(), rows_.rend(), [&](const Row& one) {
      return one.run == stored.run && one.decided.number == number;
    });
    return row == rows_.rend() ? nullptr : &*row;
  });
}

absl::StatusOr<Row> FindRow(ledger::Reader& reader, const DecisionId& id) {
  TIPSTAFF_RETURN_IF_ERROR(reader.FindRun(id.run).status());
  std::optional<Row> row;
  const auto find = [&row, &id](uint64_t number) {
    return row && number == id.number ? &*row : nullptr;
  };
  // The steps of a finalize may come at any time, those of other calls are not shown.
  const auto is_over = [&row] {
    return row && row->settled && row->decided.decision.effect != call::Effect::kFinalize;
  };
  for (uint64_t next = 1; !is_over(); next += kPage) {
    TIPSTAFF_ASSIGN_OR_RETURN(const std::vector<ledger::StoredRecord> page,
                              reader.Records(id.run, next, kPage, ledger::Reader::Payload::kLeave));
    for (const ledger::StoredRecord& stored : page) {
      TIPSTAFF_ASSIGN_OR_RETURN(const bool about, IsAbout(stored.record, id.number));
      if (!about) continue;
      TIPSTAFF_ASSIGN_OR_RETURN(const ledger::StoredRecord whole,
                                reader.Record(id.run, stored.seq));
      if (whole.record.kind == call::RecordKind::kDecided) {
        TIPSTAFF_ASSIGN_OR_RETURN(run::Decided decided, run::DecodeDecided(whole.record));
        row = Row{id.run, std::move(decided), std::nullopt};
      } else {
        TIPSTAFF_RETURN_IF_ERROR(Follow(whole.record, find));
      }
    }
    if (page.size() < kPage) break;
  }
  if (row) return *std::move(row);
  return absl::NotFoundError(absl::StrCat("run `", id.run, "` has no decision ", id.number));
}

}  // namespace tipstaff::review
