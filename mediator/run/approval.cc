// Calls that wait for a person. What is approved is one call, by its tool and arguments, of this
// run and its policy: the same call asked again is decided anew at that moment, uses the approval
// up, and acts once. The run's end, and a result on its way, void what was asked and what was
// given.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/base/utf8.h"
#include "mediator/run/limits.h"
#include "mediator/run/run.h"

namespace tipstaff::run {

using call::Reason;
using call::Verdict;

namespace {

void Refuse(call::Decision& decision, Reason reason, std::string detail) {
  decision.verdict = Verdict::kDeny;
  decision.reason = reason;
  decision.detail = std::move(detail);
}

}  // namespace

std::string Run::DecisionId(uint64_t number) const { return absl::StrCat(setup_.run, "#", number); }

std::map<uint64_t, Run::Held>::iterator Run::FindHeld(const std::string& identity, int permission) {
  return std::find_if(held_.begin(), held_.end(), [&](const auto& entry) {
    return entry.second.identity == identity && entry.second.permission == permission;
  });
}

// Of a call that was decided to be held: what a person has said of it, if anybody has.
void Run::ConsultPerson(Active& call) {
  const auto it = FindHeld(call.identity, call.decision.permission_index);
  if (it == held_.end()) return BeginWaiting(call);
  const auto& [number, held] = *it;
  call.approval = number;
  if (held.state == Held::State::kDenied) {
    return Refuse(call.decision, Reason::kApprovalDenied,
                  absl::StrCat("as ", DecisionId(number), " was"));
  }
  if (now_ >= held.until) {
    Refuse(call.decision, Reason::kApprovalExpired,
           absl::StrCat(DecisionId(number), " waits no longer; ask again"));
    held_.erase(it);
  } else if (held.state == Held::State::kApproved) {
    call.decision.verdict = Verdict::kAllow;
    call.decision.reason = Reason::kPermitted;
    held_.erase(it);  // used up: the record of this decision says so
  } else {
    call.decision.detail = absl::StrCat("it waits as ", DecisionId(number));
  }
}

void Run::BeginWaiting(Active& call) {
  const auto waiting = std::count_if(held_.begin(), held_.end(), [this](const auto& entry) {
    return entry.second.state != Held::State::kDenied && now_ < entry.second.until;
  });
  if (waiting >= kMaxHeldCalls) {
    Refuse(call.decision, Reason::kLimitExceeded,
           absl::StrCat(kMaxHeldCalls, " calls wait for approval already"));
    call.decision.may_pass_later = true;
    return;
  }
  AddHeld(call, now_);
}

void Run::AddHeld(const Active& call, absl::Time since) {
  const std::optional<policy::Approval> approval =
      setup_.grant->ApprovalOf(call.decision.permission_index);
  const absl::Duration patience = approval ? approval->expires : absl::ZeroDuration();
  held_[call.number] = {.identity = call.identity,
                        .tool = call.tool,
                        .arguments_digest = call.arguments_digest,
                        .arguments = std::string(base::CutUtf8(call.kept.text, kShownOfHeld)),
                        .arguments_size = call.kept.text.size(),
                        .permission = call.decision.permission_index,
                        .since = since,
                        .until = since + patience};
}

// What a person refused stays refused.
void Run::VoidApprovals() {
  std::erase_if(held_,
                [](const auto& entry) { return entry.second.state != Held::State::kDenied; });
}

std::vector<HeldCall> Run::HeldCalls(absl::Time now) const {
  std::vector<HeldCall> calls;
  for (const auto& [number, held] : held_) {
    if (held.state != Held::State::kWaiting || now >= held.until || held.seq == 0) continue;
    calls.push_back({number, held.tool, held.arguments_digest, held.arguments, held.arguments_size,
                     held.seq, held.permission, held.since, held.until});
  }
  return calls;
}

absl::Status Run::CheckApproval(uint64_t number) const {
  if (broken_) return absl::UnavailableError("the ledger could not be written; try again");
  if (closed_) return absl::FailedPreconditionError("the run is closed");
  const auto it = held_.find(number);
  const std::string id = absl::StrCat("`", DecisionId(number), "`");
  if (it == held_.end()) {
    return absl::FailedPreconditionError(absl::StrCat(
        id, " does not wait for approval: it never did, it was used, or a result came in between"));
  }
  if (it->second.state != Held::State::kWaiting) {
    return absl::FailedPreconditionError(absl::StrCat(id, it->second.state == Held::State::kDenied
                                                              ? " was denied already"
                                                              : " was approved already"));
  }
  if (now_ >= it->second.until)
    return absl::FailedPreconditionError(absl::StrCat(id, " waits no longer: its time is over"));
  return absl::OkStatus();
}

void Run::On(const ApprovalAsked& event) {
  if (const absl::Status may = CheckApproval(event.number); !may.ok()) {
    Emit(ApprovalAnswered{event.request, may});
    return;
  }
  Held& held = held_.at(event.number);
  Approval approval{event.number, event.approves,       event.by,
                    event.why,    absl::InfinitePast(), event.note};
  if (event.approves) {
    const std::optional<policy::Approval> rule = setup_.grant->ApprovalOf(held.permission);
    approval.until = now_ + (rule ? rule->expires : absl::ZeroDuration());
    held.until = approval.until;
  }
  // Nobody else may say something different while it is being recorded. What comes of a commit
  // that fails is a run that begins anew from the ledger.
  held.state = Held::State::kSaying;
  CommitThen({EncodeApproval(approval, now_)}, [number = event.number, approves = event.approves,
                                                request = event.request](Run& run, uint64_t) {
    if (const auto it = run.held_.find(number); it != run.held_.end()) {
      it->second.state = approves ? Held::State::kApproved : Held::State::kDenied;
    }
    run.Emit(ApprovalAnswered{request, absl::OkStatus()});
  });
}

void Run::RestoreHeld(Active& call, const Decided& decided, uint64_t seq) {
  const bool used = decided.decision.verdict == Verdict::kAllow;
  if (used || decided.decision.reason == Reason::kApprovalExpired) held_.erase(decided.approval);
  if (decided.decision.verdict != Verdict::kHold || decided.approval != 0) return;
  call.decision.permission_index =
      setup_.grant->PermissionIndex(decided.decision.skill, decided.decision.permission);
  AddHeld(call, decided.time);
  held_.at(call.number).seq = seq;
}

absl::Status Run::RestoreApproval(const call::Record& record, uint64_t seq) {
  const absl::StatusOr<Approval> approval = DecodeApproval(record);
  if (!approval.ok()) return approval.status();
  const auto it = held_.find(approval->number);
  if (it == held_.end()) {
    return absl::DataLossError(absl::StrCat("record ", seq, " approves no call that is held"));
  }
  it->second.state = approval->approved ? Held::State::kApproved : Held::State::kDenied;
  if (approval->approved) it->second.until = approval->until;
  return absl::OkStatus();
}

}  // namespace tipstaff::run
