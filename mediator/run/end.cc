// The end of a run: time runs out, or an operator closes or revokes it.
#include <utility>

#include "mediator/run/run.h"

namespace tipstaff::run {

using call::Effect;
using call::OutcomeKind;
using call::Reason;
using call::RecordKind;

void Run::On(const TimerFired& event) {
  if (broken_) return;
  if (event.timer == Timer::kSealDeadline) {
    if (result_ == Result::kSealing) StopWritesForSealing();
  } else if (now_ < setup_.expires_at) {
    Emit(SetTimer{Timer::kExpiry, setup_.expires_at});
  } else {
    Close(Reason::kRunExpired, {});
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
  if (reason != Reason::kRunClosed) {
    const RecordKind kind =
        reason == Reason::kRunExpired ? RecordKind::kExpired : RecordKind::kRevoked;
    CommitThen({EncodeEnded(kind, ended_, now_)}, [](Run& run, uint64_t) { run.MaybeClean(); });
  }
  for (auto& [number, call] : active_) {
    if (call.phase != Phase::kDispatched || call.decision.effect == Effect::kFinalize) continue;
    if (call.stop == StopKind::kKillable) {
      Emit(StopCall{number});
    } else if (call.stop != StopKind::kInProcess) {
      Emit(CancelCall{number});
    }
  }
  if (result_ == Result::kSealing) {
    Settle(active_.at(finalize_),
           call::Failure(OutcomeKind::kCancelled,
                         "the run was closed before the result was submitted"));
  }
  MaybeClean();
}

void Run::MaybeClean() {
  if (!closed_ || cleaning_ || !active_.empty() || !pending_.empty()) return;
  cleaning_ = true;
  Emit(Cleanup{});
}

void Run::On(const CleanupDone& event) {
  if (broken_ || !cleaning_) return;
  Closed closed{ended_.by,    ended_.why,
                records_ + 2, usage_.facts().run.allowed,
                denied_,      std::string(ResultName(result_))};
  CommitThen({EncodeCleaned(event.checked, now_), EncodeClosed(closed, now_)},
             [](Run& run, uint64_t) { run.Emit(Finished{}); });
}

}  // namespace tipstaff::run
