// A run's state from its records: what recovery and replay begin with.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/base/status.h"
#include "mediator/json/parse.h"
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
  switch (record.kind) {
    case RecordKind::kDecided:
      return RestoreDecided(record);
    case RecordKind::kOutcome:
      return RestoreSettled(record, seq);
    case RecordKind::kDispatched:
      return absl::OkStatus();
    case RecordKind::kSealing:
    case RecordKind::kSubmitting: {
      TIPSTAFF_ASSIGN_OR_RETURN(finalize_, DecodeStep(record));
      const auto it = active_.find(finalize_);
      if (it == active_.end()) {
        return absl::DataLossError(absl::StrCat("record ", seq, " seals for an unknown call"));
      }
      it->second.sealing = true;
      it->second.submitting = record.kind == RecordKind::kSubmitting;
      it->second.phase = it->second.submitting ? Phase::kDispatched : Phase::kSealing;
      result_ = it->second.submitting ? Result::kSubmitting : Result::kSealing;
      return absl::OkStatus();
    }
    case RecordKind::kAccepted:
      result_ = Result::kAccepted;
      return absl::OkStatus();
    case RecordKind::kRefused:
      result_ = Result::kNone;
      return absl::OkStatus();
    case RecordKind::kUnknown:
      result_ = Result::kUnknown;
      return absl::OkStatus();
    case RecordKind::kHeld:
      result_ = Result::kHeld;
      return absl::OkStatus();
    case RecordKind::kExpired:
    case RecordKind::kRevoked: {
      TIPSTAFF_ASSIGN_OR_RETURN(ended_, DecodeEnded(record));
      closed_ = true;
      closed_reason_ = record.kind == RecordKind::kExpired ? call::Reason::kRunExpired
                                                           : call::Reason::kRunRevoked;
      return absl::OkStatus();
    }
    default:
      return absl::DataLossError(absl::StrCat("record ", seq, " (", RecordKindName(record.kind),
                                              ") has no place in an open run"));
  }
}

absl::Status Run::RestoreDecided(const call::Record& record) {
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
  if (decided.decision.verdict != Verdict::kAllow) {
    ++denied_;
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
  call.stop = StopKindOf(call.tool);
  call.phase = Phase::kDispatched;
  if (!call.call_id.empty()) active_ids_[call.call_id] = call.number;
  active_.emplace(call.number, std::move(call));
  return absl::OkStatus();
}

absl::Status Run::RestoreSettled(const call::Record& record, uint64_t seq) {
  TIPSTAFF_ASSIGN_OR_RETURN(const Settled settled, DecodeSettled(record));
  const auto it = active_.find(settled.number);
  if (it == active_.end()) {
    return absl::DataLossError(absl::StrCat("record ", seq, " is the outcome of an unknown call"));
  }
  Active& call = it->second;
  usage_.Settled(call.decision.permission_index, settled.outcome.kind == OutcomeKind::kOk,
                 settled.result_size);
  Past past{call.number, call.identity, seq, Verdict::kAllow, call.decision.reason, call.retry};
  if (call.number == finalize_) {
    finalize_ = 0;
    if (settled.outcome.kind == OutcomeKind::kOk) {
      accepted_identity_ = call.identity;
      accepted_ = past;
    }
  }
  if (!call.call_id.empty()) {
    active_ids_.erase(call.call_id);
    past_[call.call_id] = std::move(past);
  }
  active_.erase(it);
  return absl::OkStatus();
}

Commands Run::Start(absl::Time now) {
  now_ = std::max(now_, now);
  Emit(SetTimer{Timer::kExpiry, setup_.expires_at});
  std::vector<uint64_t> unsettled;
  bool may_still_act = false;
  for (const auto& [number, call] : active_) {
    if (call.phase == Phase::kSealing) continue;
    unsettled.push_back(number);
    may_still_act |= call.decision.effect == Effect::kWrite &&
                     (call.stop == StopKind::kNone || call.stop == StopKind::kQueryable);
  }
  if (result_ == Result::kSealing && may_still_act) Hold();
  for (const uint64_t number : unsettled) {
    Settle(active_.at(number), call::Failure(OutcomeKind::kUnknown, kNotKnown));
  }
  if (closed_ && result_ == Result::kSealing) {
    Settle(active_.at(finalize_),
           call::Failure(OutcomeKind::kCancelled,
                         "the run was closed before the result was submitted"));
  }
  TrySubmit();
  MaybeClean();
  return std::exchange(out_, {});
}

}  // namespace tipstaff::run
