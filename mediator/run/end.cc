// The end of a run: time runs out, or an operator closes or revokes it. No call is let in from then
// on, a finalize that was not sent is void, and writes in flight are stopped as far as they can be.
#include <utility>

#include "mediator/run/limits.h"
#include "mediator/run/run.h"

namespace tipstaff::run {
namespace {

using call::Effect;
using call::OutcomeKind;
using call::Reason;
using call::RecordKind;

RecordKind RecordOf(Reason reason) {
  switch (reason) {
    case Reason::kRunExpired:
      return RecordKind::kExpired;
    case Reason::kRunRevoked:
      return RecordKind::kRevoked;
    default:
      return RecordKind::kClosing;
  }
}

absl::string_view EndName(Reason reason) {
  switch (reason) {
    case Reason::kRunExpired:
      return "expired";
    case Reason::kRunRevoked:
      return "revoked";
    default:
      return "closed";
  }
}

}  // namespace

// Each timer may come early or late; what counts is the time.
void Run::On(const TimerFired& event) {
  if (broken_) return;
  switch (event.timer) {
    case Timer::kExpiry:  // Handle() closes what is over
      if (!closed_) Emit(SetTimer{Timer::kExpiry, setup_.expires_at});
      break;
    case Timer::kSealDeadline:
      if (result_ != Result::kSealing) break;
      if (now_ < seal_deadline_) Emit(SetTimer{Timer::kSealDeadline, seal_deadline_});
      GoOnSealing();
      break;
    case Timer::kCloseDeadline:
      OnCloseDeadline();
      break;
    case Timer::kRedelivery:
      OnRedeliveryTime();
      break;
  }
}

void Run::On(const CloseAsked& event) {
  if (broken_) return;
  Close(event.revoke ? Reason::kRunRevoked : Reason::kRunClosed, {event.by, event.why});
}

void Run::Close(Reason reason, Ended ended) {
  if (closed_) return;
  closed_ = true;
  closed_reason_ = reason;
  ended_ = std::move(ended);
  VoidApprovals();
  CommitThen({EncodeEnded(RecordOf(reason), ended_, now_)},
             [](Run& run, uint64_t) { run.MaybeClean(); });
  for (auto& [number, call] : active_) {
    if (call.phase != Phase::kDispatched || call.decision.effect == Effect::kFinalize) continue;
    if (call.stop == StopKind::kQueryable || call.stop == StopKind::kNone) {
      Emit(CancelCall{number});
    }
    if (call.stop == StopKind::kKillable || call.decision.effect == Effect::kWrite) {
      AskToStop(number, call.tool, call.stop, call.stopping);
    }
  }
  for (auto& [number, loose] : loose_) {
    AskToStop(number, loose.tool, loose.stop, loose.stopping);
  }
  VoidFinalize();
  close_deadline_ = now_ + kCloseTime;
  Emit(SetTimer{Timer::kCloseDeadline, close_deadline_});
}

void Run::VoidFinalize() {
  Active* finalize = Find(finalize_);
  if (finalize == nullptr || finalize->phase != Phase::kSealing) return;
  Settle(*finalize, call::Failure(OutcomeKind::kCancelled,
                                  "the run was closed before the result was submitted"));
}

// What cannot be stopped and does not answer must not keep the run from closing.
void Run::OnCloseDeadline() {
  if (!closed_ || cleaning_) return;
  if (now_ < close_deadline_) {
    Emit(SetTimer{Timer::kCloseDeadline, close_deadline_});
    return;
  }
  for (auto& [number, call] : active_) {
    if (call.phase != Phase::kDispatched || call.stop == StopKind::kInProcess) continue;
    Settle(call, call::Failure(OutcomeKind::kUnknown,
                               "the run was closed before the call was answered; whether it took "
                               "effect is not known"));
  }
}

void Run::MaybeClean() {
  if (!closed_ || cleaning_ || !active_.empty() || !pending_.empty()) return;
  cleaning_ = true;
  Emit(Cleanup{});
}

void Run::On(const CleanupDone& event) {
  if (broken_ || !cleaning_) return;
  Closed closed{std::string(EndName(closed_reason_)), ended_.by, ended_.why, records_ + 2, tally_,
                std::string(ResultName(result_))};
  CommitThen({EncodeCleaned(event.checked, now_), EncodeClosed(closed, now_)},
             [](Run& run, uint64_t) { run.Emit(Finished{}); });
}

}  // namespace tipstaff::run
