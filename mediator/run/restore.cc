// A run's state from its records: what recovery and replay begin with.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/base/crash_point.h"
#include "mediator/base/status.h"
#include "mediator/json/parse.h"
#include "mediator/run/limits.h"
#include "mediator/run/run.h"

namespace tipstaff::run {
namespace {

using call::Effect;
using call::OutcomeKind;
using call::RecordKind;
using call::Verdict;

constexpr char kNotKnown[] =
    "the mediator was restarted while the call was in flight; whether it took effect is not known";

}  // namespace

absl::Status Run::Restore(const call::Record& record, uint64_t seq) {
  now_ = std::max(now_, record.time);
  ++records_;
  bytes_ += SizeInLedger(record);
  switch (record.kind) {
    case RecordKind::kDecided:
      return RestoreDecided(record, seq);
    case RecordKind::kOutcome:
      return RestoreSettled(record, seq);
    case RecordKind::kDispatched:
    case RecordKind::kSealing:
    case RecordKind::kSubmitting:
      return RestoreStep(record, seq);
    case RecordKind::kAccepted:
    case RecordKind::kRefused:
    case RecordKind::kUnknown:
    case RecordKind::kHeld:
    case RecordKind::kResolved:
      return RestoreResult(record, seq);
    case RecordKind::kApproval:
      return RestoreApproval(record, seq);
    case RecordKind::kExpired:
    case RecordKind::kRevoked:
    case RecordKind::kClosing:
      return RestoreEnded(record);
    default:
      return absl::DataLossError(absl::StrCat("record ", seq, " (", RecordKindName(record.kind),
                                              ") has no place in an open run"));
  }
}

absl::Status Run::RestoreStep(const call::Record& record, uint64_t seq) {
  TIPSTAFF_ASSIGN_OR_RETURN(const uint64_t number, DecodeStep(record));
  if (record.kind == RecordKind::kDispatched) {
    if (!submission_ || result_ != Result::kUnknown || number != submission_->number) {
      return absl::OkStatus();
    }
    ++redeliveries_;
    finalize_ = number;
    Active& call = active_.emplace(number, *std::exchange(submission_, {})).first->second;
    call.phase = Phase::kDispatched;
    active_ids_[call.call_id] = number;
    past_.erase(call.call_id);
    return absl::OkStatus();
  }
  Active* call = Find(number);
  if (call == nullptr) {
    return absl::DataLossError(absl::StrCat("record ", seq, " seals for an unknown call"));
  }
  finalize_ = number;
  VoidApprovals();
  call->sealing = true;
  call->submitting = record.kind == RecordKind::kSubmitting;
  call->phase = call->submitting ? Phase::kDispatched : Phase::kSealing;
  result_ = call->submitting ? Result::kSubmitting : Result::kSealing;
  return absl::OkStatus();
}

// The finalize that these records are about is the last one that was settled.
absl::Status Run::RestoreResult(const call::Record& record, uint64_t seq) {
  if (!submission_) {
    return absl::DataLossError(absl::StrCat("record ", seq, " is about no finalize"));
  }
  switch (record.kind) {
    case RecordKind::kAccepted:
      result_ = Result::kAccepted;
      break;
    case RecordKind::kRefused:
      // Of what was delivered again it is final.
      result_ = result_ == Result::kUnknown ? Result::kRefused : Result::kNone;
      break;
    case RecordKind::kUnknown:
      result_ = Result::kUnknown;
      return absl::OkStatus();
    case RecordKind::kHeld:
      result_ = Result::kHeld;
      return absl::OkStatus();
    default: {
      TIPSTAFF_ASSIGN_OR_RETURN(const Resolved resolved, DecodeResolved(record));
      if (resolved.as == Resolution::kOver) loose_.clear();
      result_ = resolved.as == Resolution::kOver       ? Result::kNone
                : resolved.as == Resolution::kAccepted ? Result::kAccepted
                                                       : Result::kRefused;
    }
  }
  if (result_ == Result::kAccepted) {
    accepted_identity_ = submission_->identity;
    accepted_ = past_[submission_->call_id];
  }
  submission_.reset();
  return absl::OkStatus();
}

absl::Status Run::RestoreEnded(const call::Record& record) {
  TIPSTAFF_ASSIGN_OR_RETURN(ended_, DecodeEnded(record));
  closed_ = true;
  VoidApprovals();
  closed_reason_ = record.kind == RecordKind::kExpired   ? call::Reason::kRunExpired
                   : record.kind == RecordKind::kRevoked ? call::Reason::kRunRevoked
                                                         : call::Reason::kRunClosed;
  return absl::OkStatus();
}

absl::Status Run::RestoreDecided(const call::Record& record, uint64_t seq) {
  TIPSTAFF_ASSIGN_OR_RETURN(Decided decided, DecodeDecided(record));
  next_number_ = std::max(next_number_, decided.number + 1);
  Active call;
  call.number = decided.number;
  call.call_id = decided.call_id;
  call.tool = decided.tool;
  call.canonical = decided.arguments;
  call.kept = {decided.arguments, decided.withheld};
  call.decision = decided.decision;
  call.retry = decided.retry;
  call.decided = true;
  call.arguments_digest = decided.arguments_digest;
  call.identity = CallIdentity(call.tool, call.arguments_digest);
  RestoreHeld(call, decided, seq);
  tally_.Add(decided.decision.verdict);
  if (decided.decision.verdict != Verdict::kAllow) {
    if (decided.decision.reason == call::Reason::kLimitExceeded) ++limit_refusals_;
    if (!call.call_id.empty()) {
      past_[call.call_id] = {call.number,           call.identity,        0,
                             call.decision.verdict, call.decision.reason, call.retry};
    }
    return absl::OkStatus();
  }
  if (decided.same_as != 0) {
    past_[call.call_id] = {call.number,
                           call.identity,
                           accepted_.outcome_seq,
                           Verdict::kAllow,
                           call::Reason::kPermitted,
                           false};
    return absl::OkStatus();
  }
  TIPSTAFF_ASSIGN_OR_RETURN(call.arguments, json::Parse(call.canonical));
  call.decision.permission_index =
      setup_.grant->PermissionIndex(call.decision.skill, call.decision.permission);
  usage_.Allowed(call.decision.permission_index, decided.arguments_size, decided.time);
  if (!decided.withheld.empty()) secrets_.Forget();
  call.stop = StopKindOf(call.tool);
  call.phase = Phase::kDispatched;
  if (!call.call_id.empty()) active_ids_[call.call_id] = call.number;
  active_.emplace(call.number, std::move(call));
  return absl::OkStatus();
}

absl::Status Run::RestoreSettled(const call::Record& record, uint64_t seq) {
  TIPSTAFF_ASSIGN_OR_RETURN(const Settled settled, DecodeSettled(record));
  if (submission_ && settled.number == submission_->number) {  // what a person said of it
    past_[submission_->call_id].outcome_seq = seq;
    return absl::OkStatus();
  }
  const auto it = active_.find(settled.number);
  if (it == active_.end()) {
    return absl::DataLossError(absl::StrCat("record ", seq, " is the outcome of an unknown call"));
  }
  Active& call = it->second;
  const OutcomeKind kind = settled.outcome.kind;
  usage_.Settled(call.decision.permission_index, kind == OutcomeKind::kOk, settled.result_size);
  if (!call.call_id.empty()) {
    active_ids_.erase(call.call_id);
    past_[call.call_id] = {call.number,     call.identity,        seq,
                           Verdict::kAllow, call.decision.reason, call.retry};
  }
  // A process of the run's own is gone by now.
  if (call.decision.effect == Effect::kWrite && kind == OutcomeKind::kUnknown &&
      (call.stop == StopKind::kQueryable || call.stop == StopKind::kNone)) {
    loose_[call.number] = {call.tool, call.stop, {}};
  }
  if (call.decision.effect == Effect::kFinalize) {
    finalize_ = 0;
    submission_ = std::move(call);
  }
  active_.erase(it);
  return absl::OkStatus();
}

Commands Run::Start(absl::Time now, const CloseAsked* close) {
  now_ = std::max(now_, now);
  recorded_closed_ = closed_;
  recorded_result_ = result_;
  Emit(SetTimer{Timer::kExpiry, setup_.expires_at});
  for (auto& [number, call] : active_) {
    if (call.phase == Phase::kSealing) continue;
    call.over = call.stop == StopKind::kKillable;  // its process is gone
    const bool forgets =
        base::IsLeftOut("unknown-on-recovery") && call.decision.effect == Effect::kWrite;
    Settle(call, call::Failure(forgets ? OutcomeKind::kFailed : OutcomeKind::kUnknown, kNotKnown));
  }
  if (now_ >= setup_.expires_at) Close(call::Reason::kRunExpired, {});
  if (close != nullptr) On(*close);
  if (result_ == Result::kSealing) {
    if (closed_) {
      VoidFinalize();
    } else {
      seal_deadline_ = now_ + kSealDeadline;
      Emit(SetTimer{Timer::kSealDeadline, seal_deadline_});
      GoOnSealing();
    }
  }
  PlanRedelivery();
  MaybeClean();
  return std::exchange(out_, {});
}

}  // namespace tipstaff::run
