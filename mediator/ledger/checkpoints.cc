#include "mediator/ledger/checkpoints.h"

#include <algorithm>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/crash_point.h"
#include "mediator/base/note_text.h"
#include "mediator/base/status.h"
#include "mediator/ledger/stored_rows.h"

namespace tipstaff::ledger {
namespace {

// With records coming, no longer than this without one.
constexpr absl::Duration kInterval = absl::Minutes(5);

const base::CrashPoint kAdded("ledger: a checkpoint is staged");

}  // namespace

absl::StatusOr<std::unique_ptr<Checkpoints>> Checkpoints::Open(Database& database, SignNote sign) {
  TIPSTAFF_ASSIGN_OR_RETURN(
      Statement insert, database.Prepare("INSERT INTO checkpoint (number, note) VALUES (?1, ?2)"));
  std::unique_ptr<Checkpoints> checkpoints(
      new Checkpoints(database, std::move(sign), std::move(insert)));
  TIPSTAFF_RETURN_IF_ERROR(checkpoints->Read());
  return checkpoints;
}

absl::Status Checkpoints::Read() {
  TIPSTAFF_ASSIGN_OR_RETURN(ledger_, database_.Ask("SELECT lower(hex(id)) FROM identity"));
  Heads covered;
  TIPSTAFF_ASSIGN_OR_RETURN(
      Statement notes, database_.Prepare("SELECT number, note FROM checkpoint ORDER BY number"));
  for (;;) {
    TIPSTAFF_ASSIGN_OR_RETURN(const bool row, notes.Step());
    if (!row) break;
    const absl::string_view text = base::TextOfNote(notes.Bytes(1));
    const absl::StatusOr<Checkpoint> one = ParseCheckpoint(text);
    if (!one.ok()) {
      return absl::DataLossError(
          absl::StrCat("checkpoint ", notes.Integer(0), ": ", one.status().message()));
    }
    for (const RunHead& head : one->changed) covered.Set(head);
    number_ = static_cast<uint64_t>(notes.Integer(0));
    previous_ = base::DigestOf(text);
    last_ = one->time;
  }
  TIPSTAFF_ASSIGN_OR_RETURN(
      Statement runs,
      database_.Prepare("SELECT run, time_us, seq, kind, hash FROM run JOIN record USING (run_no) "
                        "WHERE seq = (SELECT max(seq) FROM record AS other "
                        "WHERE other.run_no = run.run_no) ORDER BY run.run_no"));
  for (;;) {
    TIPSTAFF_ASSIGN_OR_RETURN(const bool row, runs.Step());
    if (!row) return absl::OkStatus();
    TIPSTAFF_ASSIGN_OR_RETURN(const StoredRun run, RunOfRow(runs));
    const RunHead head{run.run, run.records, run.head};
    heads_.Set(head);
    newest_ = std::max(newest_, run.opened_at);
    const RunHead* known = covered.Find(run.run);
    if (known == nullptr || !(*known == head)) changed_.Set(head);
  }
}

void Checkpoints::Stage(RunHead head, bool closed, absl::Time time) {
  newest_ = std::max(newest_, time);
  due_ = due_ || closed || newest_ - last_ >= kInterval;
  staged_.Set(head);
}

std::vector<RunHead> Checkpoints::AllChanged() const {
  Heads all = changed_;
  for (const RunHead& head : staged_.all()) all.Set(head);
  // In the order of opening: those that are there, then the new ones.
  std::vector<RunHead> ordered;
  for (const RunHead& there : heads_.all()) {
    if (const RunHead* head = all.Find(there.run)) ordered.push_back(*head);
  }
  for (const RunHead& head : all.all()) {
    if (heads_.Find(head.run) == nullptr) ordered.push_back(head);
  }
  return ordered;
}

absl::Status Checkpoints::AddIfDue(bool anyway) {
  if (!sign_ || !(due_ || (anyway && (behind() || staged_.size() > 0)))) return absl::OkStatus();
  Checkpoint checkpoint{.ledger = ledger_,
                        .number = number_ + 1,
                        .previous = previous_,
                        .time = newest_,
                        .changed = AllChanged()};
  checkpoint.state = heads_.Digest(checkpoint.changed);
  checkpoint.runs = heads_.size();
  for (const RunHead& head : checkpoint.changed) {
    if (heads_.Find(head.run) == nullptr) ++checkpoint.runs;
  }
  const std::string text = ToText(checkpoint);
  const std::string note = sign_(text);
  TIPSTAFF_RETURN_IF_ERROR(
      insert_.BindInteger(1, static_cast<int64_t>(checkpoint.number)).BindText(2, note).Run());
  added_ = true;
  kAdded.Pass();
  added_text_ = base::DigestOf(text);
  return absl::OkStatus();
}

void Checkpoints::Committed() {
  for (const RunHead& head : staged_.all()) {
    heads_.Set(head);
    if (!added_) changed_.Set(head);
  }
  if (added_) {
    changed_ = Heads();
    ++number_;
    previous_ = added_text_;
    last_ = newest_;
  }
  RolledBack();
}

void Checkpoints::RolledBack() {
  staged_ = Heads();
  due_ = added_ = false;
}

}  // namespace tipstaff::ledger
