// Sealing and submitting: from a permitted finalize to its dispatch.
#include <algorithm>
#include <utility>

#include "mediator/run/limits.h"
#include "mediator/run/run.h"

namespace tipstaff::run {

using call::Effect;
using call::OutcomeKind;
using call::Record;
using call::RecordKind;
using call::Verdict;

bool Run::WritesInFlight() const {
  return std::any_of(active_.begin(), active_.end(), [](const auto& entry) {
    const call::Decision& decision = entry.second.decision;
    return decision.verdict == Verdict::kAllow && decision.effect == Effect::kWrite;
  });
}

void Run::BeginFinalize(Active& call) {
  finalize_ = call.number;
  if (!WritesInFlight()) {
    Submit(call);
    return;
  }
  result_ = Result::kSealing;
  call.phase = Phase::kSealing;
  std::vector<Record> records;
  AddMissingSteps(call, /*submitting=*/false, records);
  CommitThen(std::move(records), [](Run&, uint64_t) {});
  Emit(SetTimer{Timer::kSealDeadline, now_ + kSealDeadline});
}

void Run::TrySubmit() {
  if (result_ == Result::kSealing && !WritesInFlight()) Submit(active_.at(finalize_));
}

void Run::Submit(Active& call) {
  result_ = Result::kSubmitting;
  if (call.stop == StopKind::kInProcess) {
    Send(call);  // its outcome brings the records of all steps into one commit
    return;
  }
  call.phase = Phase::kDeciding;
  std::vector<Record> records;
  AddMissingSteps(call, /*submitting=*/true, records);
  CommitThen(std::move(records),
             [number = call.number](Run& run, uint64_t) { run.AfterIntent(number); });
}

void Run::AddMissingSteps(Active& call, bool submitting, std::vector<Record>& records) {
  if (!std::exchange(call.decided, true)) records.push_back(EncodeDecided(MakeDecided(call)));
  if (!std::exchange(call.sealing, true)) {
    records.push_back(EncodeStep(RecordKind::kSealing, call.number, now_));
  }
  if (submitting && !std::exchange(call.submitting, true)) {
    records.push_back(EncodeStep(RecordKind::kSubmitting, call.number, now_));
  }
}

void Run::StopWritesForSealing() {
  bool can_stop_all = true;
  for (const auto& [number, call] : active_) {
    if (call.decision.verdict != Verdict::kAllow || call.decision.effect != Effect::kWrite)
      continue;
    if (call.stop == StopKind::kKillable) {
      Emit(StopCall{number});
    } else if (call.stop != StopKind::kInProcess) {
      can_stop_all = false;
    }
  }
  if (!can_stop_all) Hold();
}

// Nobody can promise what a write in flight will still do: nothing is submitted.
void Run::Hold() {
  result_ = Result::kHeld;
  Active& call = active_.at(finalize_);
  Settle(call,
         call::Failure(OutcomeKind::kFailed,
                       "the result is held: a write is in flight that cannot be stopped, and a "
                       "person has to decide"));
}

}  // namespace tipstaff::run
