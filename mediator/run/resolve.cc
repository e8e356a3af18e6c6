// `tipstaff run resolve`: a person says of a result that is held or unknown what nobody else knows.
#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/run/run.h"

namespace tipstaff::run {

using call::Effect;
using call::OutcomeKind;

absl::Status Run::CheckResolution(Resolution as) const {
  if (broken_) return absl::UnavailableError("the ledger could not be written; try again");
  const bool of_held = as == Resolution::kOver || as == Resolution::kAbandoned;
  if (result_ != (of_held ? Result::kHeld : Result::kUnknown)) {
    return absl::FailedPreconditionError(
        absl::StrCat("the result is ", ResultName(result_), ": `", ResolutionName(as),
                     "` is said of one that is ", of_held ? "held" : "unknown"));
  }
  if (finalize_ != 0 || !submission_) {
    return absl::FailedPreconditionError(
        of_held ? "the result is only being held; try again"
                : "the result is being delivered again; try again in a minute");
  }
  if (resolving_) return absl::FailedPreconditionError("somebody else is resolving it; try again");
  if (cleaning_) return absl::FailedPreconditionError("the run is closed");
  return absl::OkStatus();
}

void Run::On(const ResolveAsked& event) {
  if (const absl::Status may = CheckResolution(event.as); !may.ok()) {
    Emit(ResolveAnswered{event.request, may});
    return;
  }
  resolving_ = true;
  if (event.as == Resolution::kOver || event.as == Resolution::kAbandoned) {
    ResolveHeld(event);
  } else {
    ResolveUnknown(event);
  }
}

void Run::ResolveHeld(const ResolveAsked& event) {
  const bool over = event.as == Resolution::kOver;
  if (over) {
    for (auto& [number, call] : active_) {
      if (call.decision.effect != Effect::kWrite) continue;
      call.over = true;
      if (call.phase != Phase::kDispatched) continue;
      Settle(call, call::Failure(OutcomeKind::kUnknown,
                                 "given up: an operator says that nothing more will come of it"));
    }
  }
  CommitThen({EncodeResolved({submission_->number, event.as, event.by, event.why}, now_)},
             [over, request = event.request](Run& run, uint64_t) {
               run.resolving_ = false;
               run.submission_.reset();
               if (over) run.loose_.clear();
               run.result_ = over ? Result::kNone : Result::kRefused;
               run.Emit(ResolveAnswered{request, absl::OkStatus()});
             });
}

// The outcome on record is from now on what the person said, so that a guest that asks again gets
// that; the record `resolved` beside it says that it is a person's word.
void Run::ResolveUnknown(const ResolveAsked& event) {
  const bool accepted = event.as == Resolution::kAccepted;
  call::Outcome outcome;
  if (accepted) {
    outcome.kind = OutcomeKind::kOk;
    outcome.result =
        R"({"content":[{"type":"text","text":"an operator says that the result was accepted"}]})";
  } else {
    outcome = call::Failure(OutcomeKind::kRefused,
                            "an operator says that the receiver did not accept the result");
  }
  outcome.note = "as an operator says";
  const uint64_t number = submission_->number;
  CommitThen({EncodeSettled({.number = number,
                             .outcome = outcome,
                             .result_size = outcome.result.size(),
                             .time = now_}),
              EncodeResolved({number, event.as, event.by, event.why}, now_)},
             [accepted, request = event.request](Run& run, uint64_t first_seq) {
               run.resolving_ = false;
               run.result_ = accepted ? Result::kAccepted : Result::kRefused;
               Past& past = run.past_[run.submission_->call_id];
               past.outcome_seq = first_seq;
               if (accepted) {
                 run.accepted_identity_ = run.submission_->identity;
                 run.accepted_ = past;
               }
               run.submission_.reset();
               run.Emit(ResolveAnswered{request, absl::OkStatus()});
             });
}

}  // namespace tipstaff::run
