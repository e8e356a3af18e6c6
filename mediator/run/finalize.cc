// Sealing and submitting: from a permitted finalize to its dispatch, and what its outcome means.
#include <utility>

#include "mediator/base/crash_point.h"
#include "mediator/run/limits.h"
#include "mediator/run/run.h"

namespace tipstaff::run {

using call::OutcomeKind;
using call::Record;
using call::RecordKind;

void Run::BeginFinalize(Active& call) {
  finalize_ = call.number;
  VoidApprovals();
  if (!WritesInFlight() || base::IsLeftOut("wait-for-writes")) {
    Submit(call);
    return;
  }
  result_ = Result::kSealing;
  call.phase = Phase::kSealing;
  std::vector<Record> records;
  AddMissingSteps(call, /*submitting=*/false, records);
  CommitThen(std::move(records), [](Run&, uint64_t) {});
  stopping_ = false;
  seal_deadline_ = now_ + kSealDeadline;
  Emit(SetTimer{Timer::kSealDeadline, seal_deadline_});
  GoOnSealing();
}

// After anything that may change what sealing waits for.
void Run::GoOnSealing() {
  if (closed_ || result_ != Result::kSealing || finalize_ == 0) return;
  Active& call = active_.at(finalize_);
  if (call.phase != Phase::kSealing) return;
  if (!WritesInFlight()) {
    Submit(call);
    return;
  }
  if (!stopping_ && (now_ >= seal_deadline_ || !AnswersMayCome())) {
    stopping_ = true;
    if (base::IsLeftOut("stop-before-giving-up")) return Submit(call);
    seal_deadline_ = now_ + kStopTime;
    Emit(SetTimer{Timer::kSealDeadline, seal_deadline_});
    StopWrites();
  }
  if (stopping_ && StoppingIsOver()) Hold();
}

void Run::Submit(Active& call) {
  result_ = Result::kSubmitting;
  if (call.stop == StopKind::kInProcess || base::IsLeftOut("commit-before-send")) {
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

// Nobody can promise what a write in flight will still do: nothing is submitted.
void Run::Hold() {
  result_ = Result::kHeld;
  Settle(active_.at(finalize_),
         call::Failure(OutcomeKind::kFailed,
                       "the result is held: a write is in flight that cannot be stopped, and a "
                       "person has to decide"));
}

namespace {

// Whether the receiver has definitely not accepted and will not. What an outside tool calls an
// error may be about what came after it took the result (docs/decisions/0010).
bool IsRefusal(OutcomeKind kind, StopKind receiver) {
  switch (kind) {
    case OutcomeKind::kRefused:
    case OutcomeKind::kFailed:
    case OutcomeKind::kCancelled:
      return true;
    case OutcomeKind::kToolError:
    case OutcomeKind::kStubError:
      return receiver == StopKind::kInProcess;
    case OutcomeKind::kOk:
    case OutcomeKind::kUnknown:
      return false;
  }
  return false;
}

}  // namespace

Run::End Run::EndOf(const Active& finalize) const {
  const OutcomeKind kind = finalize.outcome.kind;
  if (result_ == Result::kHeld) return {RecordKind::kHeld, Result::kHeld};
  if (kind == OutcomeKind::kOk) return {RecordKind::kAccepted, Result::kAccepted};
  if (result_ == Result::kUnknown) {
    // Delivered again. Only the receiver's own word counts: that this delivery failed says nothing
    // of the ones before. Its refusal is final, as it may only mean that it has the result already.
    return kind == OutcomeKind::kRefused ? End{RecordKind::kRefused, Result::kRefused}
                                         : End{RecordKind::kUnknown, Result::kUnknown};
  }
  return IsRefusal(kind, finalize.stop) ? End{RecordKind::kRefused, Result::kNone}
                                        : End{RecordKind::kUnknown, Result::kUnknown};
}

}  // namespace tipstaff::run
