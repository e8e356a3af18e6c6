// A result of unknown fate, delivered again: under the same key, to a receiver that declares one.
#include <utility>

#include "mediator/run/limits.h"
#include "mediator/run/run.h"

namespace tipstaff::run {

using call::OutcomeKind;
using call::RecordKind;

void Run::PlanRedelivery() {
  redelivery_at_ = absl::InfiniteFuture();
  if (closed_ || result_ != Result::kUnknown || !submission_) return;
  if (submission_->stop == StopKind::kInProcess) return;
  if (setup_.key_argument(submission_->tool).empty()) return;
  if (redeliveries_ >= kMaxRedeliveries) return;
  redelivery_at_ = now_ + kRedeliveryPause;
  Emit(SetTimer{Timer::kRedelivery, redelivery_at_});
}

void Run::OnRedeliveryTime() {
  if (closed_ || redelivery_at_ == absl::InfiniteFuture()) return;
  if (now_ < redelivery_at_) {
    Emit(SetTimer{Timer::kRedelivery, redelivery_at_});
    return;
  }
  if (Active* call = Find(finalize_)) {
    if (call->phase != Phase::kDispatched) return;
    Emit(CancelCall{call->number});
    Settle(*call, call::Failure(OutcomeKind::kUnknown, "the receiver did not answer in time"));
  } else if (submission_ && !resolving_) {
    Redeliver();
  }
}

// The call is in flight once more; how it ends now is in EndOf().
void Run::Redeliver() {
  ++redeliveries_;
  const uint64_t number = submission_->number;
  Active& call = active_.emplace(number, *std::exchange(submission_, {})).first->second;
  call.phase = Phase::kDeciding;
  finalize_ = number;
  active_ids_[call.call_id] = number;
  past_.erase(call.call_id);
  CommitThen({EncodeStep(RecordKind::kDispatched, number, now_)}, [number](Run& run, uint64_t) {
    Active& call = run.active_.at(number);
    if (run.closed_) {
      run.Settle(call, call::Failure(OutcomeKind::kUnknown,
                                     "the run was closed before the result was sent again"));
      return;
    }
    run.Send(call);
    run.redelivery_at_ = run.now_ + kRedeliveryPause;
    run.Emit(SetTimer{Timer::kRedelivery, run.redelivery_at_});
  });
}

}  // namespace tipstaff::run
