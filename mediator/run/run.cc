#include "mediator/run/run.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/base/crash_point.h"
#include "mediator/base/digest.h"
#include "mediator/call/limits.h"
#include "mediator/json/pointer.h"

namespace tipstaff::run {
namespace {

using call::Effect;
using call::OutcomeKind;
using call::Reason;
using call::Record;
using call::RecordKind;
using call::Verdict;

call::Decision Denied(Reason reason, call::Decision decision = {}) {
  decision.verdict = Verdict::kDeny;
  decision.reason = reason;
  return decision;
}

}  // namespace

Run::Run(Setup setup)
    : setup_(std::move(setup)),
      usage_(setup_.grant->permission_count(), setup_.grant->limits_rate()) {}

Access Run::access() const {
  if (closed_) return Access::kClosed;
  return result_ == Result::kNone ? Access::kOpen : Access::kReadOnly;
}

Commands Run::Handle(const Event& event, absl::Time now) {
  now_ = std::max(now_, now);
  usage_.Advance(now_);
  stale_result_ = std::exchange(last_result_, result_);
  // The timer may be late: it does not run while the machine sleeps, and is set anew after a
  // repair.
  if (!broken_ && now_ >= setup_.expires_at) Close(Reason::kRunExpired, {});
  std::visit([this](const auto& e) { On(e); }, event);
  return std::exchange(out_, {});
}

// ---- deciding ----

bool Run::Decides(const call::Call& call) const {
  return !broken_ && !closed_ && !active_ids_.contains(call.id) && !past_.contains(call.id);
}

call::Decision Run::Preview(const call::Call& call, const policy::CanaryResult* searched,
                            absl::Time now) {
  usage_.Advance(now);
  if (!closed_ && now >= setup_.expires_at) return Denied(Reason::kRunExpired);
  const Kept kept = KeptOf(call, /*malformed=*/false);
  const std::string identity = CallIdentity(call.tool, DigestOfKept(kept));
  call::Decision decision = DecideNow(call, searched, identity);
  const auto held = FindHeld(identity, decision.permission_index);
  if (decision.verdict == Verdict::kHold && held != held_.end() &&
      held->second.state == Held::State::kApproved && now < held->second.until) {
    decision.verdict = Verdict::kAllow;
    decision.reason = Reason::kPermitted;
  }
  return decision;
}

call::Decision Run::DecideNow(const call::Call& call, const policy::CanaryResult* searched,
                              const std::string& identity) const {
  if (closed_) return Denied(closed_reason_);
  if (Unanswered() >= call::kMaxCallsInFlight) {
    call::Decision decision = Denied(Reason::kLimitExceeded);
    decision.detail = absl::StrCat(call::kMaxCallsInFlight, " calls are in flight already");
    decision.may_pass_later = true;
    return decision;
  }
  call::Decision decision =
      CheckAccess(policy::Decide(*setup_.grant, usage_.facts(), call, searched), identity);
  if (decision.verdict == Verdict::kDeny || setup_.refuses == nullptr) return decision;
  const std::optional<Reason> refused = setup_.refuses(call.tool);
  return refused ? Denied(*refused, std::move(decision)) : decision;
}

// A read that was answered waits for its outcome to be durable, which nobody waits for. They stay
// few: the decision about the next call is committed after it.
size_t Run::Unanswered() const {
  return static_cast<size_t>(std::count_if(active_.begin(), active_.end(), [](const auto& entry) {
    const Active& call = entry.second;
    const bool answered = call.phase == Phase::kSettling && call.decided && call.waiting.empty() &&
                          call.decision.effect == Effect::kRead;
    return !answered;
  }));
}

call::Decision Run::CheckAccess(call::Decision decision, const std::string& identity) const {
  if (decision.verdict == Verdict::kDeny || decision.effect == Effect::kRead) return decision;
  const bool stale = base::IsLeftOut("check-in-transaction") && decision.effect == Effect::kWrite;
  switch (stale ? stale_result_ : result_) {
    case Result::kNone:
      return decision;
    case Result::kSealing:
    case Result::kSubmitting:
      return Denied(Reason::kRunSealing, std::move(decision));
    case Result::kAccepted:
      if (decision.effect == Effect::kFinalize && identity == accepted_identity_) return decision;
      decision.detail = "its result was accepted";
      break;
    case Result::kHeld:
      decision.detail = "its result is held until an operator decides";
      break;
    case Result::kUnknown:
      decision.detail = IsSubmitted(identity)
                            ? "this result was sent, and what became of it is not known"
                            : "what became of its result is not known";
      break;
    case Result::kRefused:
      decision.detail = "its result was refused for good";
      break;
  }
  return Denied(Reason::kRunFinal, std::move(decision));
}

void Run::On(const CallArrived& event) {
  if (broken_) {
    Emit(Reply{.stream = event.stream, .retry = true});
    return;
  }
  const call::Call& asked = event.call;
  Kept kept = KeptOf(asked, !event.malformed.empty());
  const std::string arguments_digest = DigestOfKept(kept);
  const std::string identity = CallIdentity(asked.tool, arguments_digest);
  if (event.malformed.empty() && AnswerRepeated(event, identity)) return;
  RevokeWhenOverBudget();
  if (cleaning_ || HasNoRoom()) {  // nothing may follow the run's last record (docs/decisions/0003)
    Emit(Reply{.stream = event.stream, .reason = closed_reason_});
    return;
  }
  if (event.no_room) {
    Emit(Reply{.stream = event.stream, .retry = true});
    return;
  }

  Active call;
  call.number = next_number_++;
  call.tool = asked.tool;
  call.arguments = asked.arguments;
  call.canonical = asked.canonical;
  call.kept = std::move(kept);
  call.arguments_digest = arguments_digest;
  call.identity = identity;
  call.waiting = {event.stream};
  if (!event.malformed.empty()) {
    call.decision = Denied(Reason::kMalformed);
    call.decision.detail = event.malformed;
  } else if (past_.contains(asked.id) || active_ids_.contains(asked.id)) {
    call.decision = Denied(Reason::kCallIdReused);
  } else {
    call.call_id = asked.id;
    const policy::CanaryResult* searched = event.searched ? &*event.searched : nullptr;
    call.decision = DecideNow(asked, searched, identity);
    if (call.decision.verdict == Verdict::kHold) ConsultPerson(call);
  }
  call.retry = call.decision.may_pass_later || call::MayPassLater(call.decision.reason);
  if (!call.call_id.empty()) active_ids_[call.call_id] = call.number;

  if (call.decision.verdict != Verdict::kAllow) {
    if (setup_.grant->has_sensitive() && event.malformed.empty()) {
      call.kept = KeepDenied(*setup_.grant, call.tool, call.arguments.root(), std::move(call.kept),
                             setup_.sensitive_key);
    }
    Deny(std::move(call));
  } else if (call.decision.effect == Effect::kFinalize && result_ == Result::kAccepted) {
    AnswerSecondFinalize(std::move(call));
  } else {
    Begin(std::move(call));
  }
}

bool Run::AnswerRepeated(const CallArrived& event, const std::string& identity) {
  if (const auto it = active_ids_.find(event.call.id); it != active_ids_.end()) {
    Active& call = active_.at(it->second);
    if (call.identity != identity) return false;
    call.waiting.push_back(event.stream);
    return true;
  }
  const auto it = past_.find(event.call.id);
  if (it == past_.end() || it->second.identity != identity) return false;
  const Past& past = it->second;
  Emit(ReplyRecorded{event.stream, past.number, past.outcome_seq, past.verdict, past.reason,
                     past.retry});
  return true;
}

void Run::Deny(Active call) {
  tally_.Add(call.decision.verdict);
  if (call.decision.reason == Reason::kLimitExceeded) ++limit_refusals_;
  call.decided = true;
  const uint64_t number = call.number;
  std::vector<Record> records = {EncodeDecided(MakeDecided(call))};
  active_.emplace(number, std::move(call));
  CommitThen(std::move(records), [number](Run& run, uint64_t seq) {
    if (const auto it = run.held_.find(number); it != run.held_.end()) it->second.seq = seq;
    run.Done(number, 0);
  });
}

void Run::AnswerSecondFinalize(Active call) {
  tally_.Add(Verdict::kAllow);
  Decided decided = MakeDecided(call);
  decided.same_as = accepted_.number;
  const uint64_t number = call.number;
  call.decided = true;
  active_.emplace(number, std::move(call));
  CommitThen({EncodeDecided(decided)}, [number](Run& run, uint64_t) {
    Active& call = run.active_.at(number);
    for (const StreamId stream : std::exchange(call.waiting, {})) {
      run.Emit(ReplyRecorded{stream, number, run.accepted_.outcome_seq, Verdict::kAllow,
                             Reason::kPermitted, false});
    }
    run.Done(number, run.accepted_.outcome_seq);
  });
}

// ---- from decision to dispatch ----

void Run::Begin(Active allowed) {
  tally_.Add(Verdict::kAllow);
  usage_.Allowed(allowed.decision.permission_index, allowed.canonical.size(), now_);
  secrets_.AddFrom(setup_.grant->SensitiveArguments(allowed.tool), allowed.arguments.root());
  allowed.stop = StopKindOf(allowed.tool);
  const uint64_t number = allowed.number;
  Active& call = active_.emplace(number, std::move(allowed)).first->second;
  if (call.decision.effect == Effect::kFinalize) {
    BeginFinalize(call);
  } else if (call.stop == StopKind::kInProcess) {
    Send(call);
  } else {
    call.decided = true;
    const Record intent = EncodeDecided(MakeDecided(call));
    if (base::IsLeftOut("commit-before-send")) {
      Send(call);
      return CommitThen({intent}, [](Run&, uint64_t) {});
    }
    CommitThen({intent}, [number](Run& run, uint64_t) { run.AfterIntent(number); });
  }
}

// The intent of a call to a backend outside the process is durable.
void Run::AfterIntent(uint64_t number) {
  Active& call = active_.at(number);
  if (closed_) {
    Settle(call,
           call::Failure(OutcomeKind::kCancelled, "the run was closed before the call was made"));
  } else if (call.decision.effect == Effect::kWrite && !base::IsLeftOut("check-in-transaction") &&
             (result_ == Result::kSealing ? stopping_ : result_ != Result::kNone)) {
    Settle(call, call::Failure(OutcomeKind::kCancelled,
                               "the result is being submitted: the call was not made"));
  } else if (call.waiting.empty() && call.decision.effect != Effect::kFinalize) {
    Settle(call, call::Failure(OutcomeKind::kCancelled, "cancelled before the call was made"));
  } else {
    Send(call);
    // Nobody waits for this one: whether the call left is not known after a crash anyway.
    CommitThen(
        {EncodeStep(RecordKind::kDispatched, number, now_)}, [](Run&, uint64_t) {},
        /*awaited=*/false);
  }
}

void Run::Send(Active& call) {
  call.phase = Phase::kDispatched;
  Dispatch dispatch{call.number,
                    call.tool,
                    call.arguments,
                    call.canonical,
                    call.decision.effect,
                    "",
                    call.waiting.empty() ? 0 : call.waiting[0]};
  if (call.decision.effect == Effect::kFinalize) {
    Submission sent =
        MakeSubmission(SubmissionKey(setup_.run, call.number, call.identity),
                       setup_.key_argument(call.tool), call.arguments, call.canonical);
    dispatch.submission_key = std::move(sent.key);
    dispatch.arguments = std::move(sent.arguments);
    dispatch.canonical = std::move(sent.canonical);
  }
  Emit(std::move(dispatch));
}

// ---- outcomes ----

void Run::On(const BackendReplied& event) {
  const auto it = active_.find(event.number);
  if (it == active_.end() || it->second.phase != Phase::kDispatched) return;  // late
  Settle(it->second, event.outcome);
}

void Run::Settle(Active& call, call::Outcome outcome) {
  call.phase = Phase::kSettling;
  call.outcome = std::move(outcome);
  call.outcome.result = setup_.grant->LimitResult(call.decision.permission_index, call.outcome.kind,
                                                  std::move(call.outcome.result));
  const uint64_t number = call.number;
  const OutcomeKind kind = call.outcome.kind;
  usage_.Settled(call.decision.permission_index, kind == OutcomeKind::kOk,
                 call.outcome.result.size());
  // A read's outcome outside the process may follow its answer: nothing hangs on it.
  const bool answered = call.decided && call.decision.effect == Effect::kRead;
  if (answered) AnswerWaiting(call);

  std::vector<Record> records;
  std::optional<Result> then;
  if (call.decision.effect == Effect::kFinalize) {
    AddMissingSteps(call, /*submitting=*/result_ == Result::kSubmitting, records);
    const End end = EndOf(call);
    then = end.result;
    records.push_back(EncodeSettled(MakeSettled(call)));
    records.push_back(EncodeStep(end.step, number, now_));
  } else {
    if (!std::exchange(call.decided, true)) records.push_back(EncodeDecided(MakeDecided(call)));
    records.push_back(EncodeSettled(MakeSettled(call)));
  }
  const bool finalize = call.decision.effect == Effect::kFinalize;
  const size_t outcome_at = records.size() - (finalize ? 2 : 1);
  CommitThen(
      std::move(records),
      [number, outcome_at, then](Run& run, uint64_t first_seq) {
        if (then) run.result_ = *then;
        run.Done(number, first_seq + outcome_at);
      },
      /*awaited=*/!answered || closed_ || result_ == Result::kSealing);
}

void Run::AnswerWaiting(Active& call) {
  for (const StreamId stream : std::exchange(call.waiting, {})) {
    Emit(Reply{stream, call.number, call.decision.verdict, call.decision.reason, call.retry,
               call.decision.detail, call.outcome.result, call.outcome.reply_delay,
               call.outcome.progress_reports});
  }
}

// Everything about the call is durable.
void Run::Done(uint64_t number, uint64_t outcome_seq) {
  Active& call = active_.at(number);
  AnswerWaiting(call);
  Past past{number,    call.identity, outcome_seq, call.decision.verdict, call.decision.reason,
            call.retry};
  const bool finalized = number == finalize_;
  if (finalized) {
    finalize_ = 0;
    if (result_ == Result::kAccepted) {
      accepted_identity_ = call.identity;
      accepted_ = past;
    }
  }
  if (call.decision.effect == Effect::kWrite && call.outcome.kind == OutcomeKind::kUnknown &&
      outcome_seq != 0 && call.stop != StopKind::kInProcess && !call.over) {
    Loose& loose = loose_[number] = {call.tool, call.stop, call.stopping};
    const bool stop_now = closed_ || (result_ == Result::kSealing && stopping_);
    if (stop_now) AskToStop(number, loose.tool, loose.stop, loose.stopping);
  }
  if (!call.call_id.empty()) {
    active_ids_.erase(call.call_id);
    past_[call.call_id] = std::move(past);
  }
  if (finalized && (result_ == Result::kHeld || result_ == Result::kUnknown)) {
    submission_ = std::move(call);
  }
  active_.erase(number);
  if (finalized) PlanRedelivery();
  GoOnSealing();
  MaybeClean();
}

void Run::On(const CancelAsked& event) {
  for (auto& [number, call] : active_) {
    const auto it = std::find(call.waiting.begin(), call.waiting.end(), event.stream);
    if (it == call.waiting.end()) continue;
    call.waiting.erase(it);
    // A submission is not called back: its fate would only become unknown.
    if (call.waiting.empty() && call.phase == Phase::kDispatched &&
        call.decision.effect != Effect::kFinalize) {
      Emit(CancelCall{number});
    }
    return;
  }
}

// ---- commits ----

void Run::CommitThen(std::vector<Record> records, OnDurable then, bool awaited) {
  const uint64_t ticket = next_ticket_++;
  records_ += records.size();
  for (const Record& record : records) bytes_ += SizeInLedger(record);
  pending_.emplace(ticket, Pending{std::move(then), records.back().kind});
  Emit(Commit{ticket, std::move(records), awaited});
}

void Run::On(const CommitDone& event) {
  const auto it = pending_.find(event.ticket);
  if (it == pending_.end()) return;  // of before a failure
  if (!event.durable) {
    Break();
    return;
  }
  const Pending done = std::move(it->second);
  pending_.erase(it);
  done.then(*this, event.first_seq);
  OnRecord(done.last);
  MaybeClean();
}

// After what followed from its becoming durable.
void Run::OnRecord(RecordKind last) {
  switch (last) {
    case RecordKind::kSealing:
      recorded_result_ = Result::kSealing;
      break;
    case RecordKind::kSubmitting:
      recorded_result_ = Result::kSubmitting;
      break;
    case RecordKind::kAccepted:
      recorded_result_ = Result::kAccepted;
      break;
    case RecordKind::kHeld:
      recorded_result_ = Result::kHeld;
      break;
    case RecordKind::kUnknown:
      recorded_result_ = Result::kUnknown;
      break;
    case RecordKind::kRefused:
    case RecordKind::kResolved:
      recorded_result_ = result_;  // what it means depends on what came before
      break;
    case RecordKind::kExpired:
    case RecordKind::kRevoked:
    case RecordKind::kClosing:
      recorded_closed_ = true;
      break;
    default:
      break;
  }
}

void Run::Break() {
  broken_ = true;
  for (auto& [number, call] : active_) {
    for (const StreamId stream : call.waiting) Emit(Reply{.stream = stream, .retry = true});
  }
  active_.clear();
  active_ids_.clear();
  pending_.clear();
  submission_.reset();
  closed_ = recorded_closed_;
  result_ = recorded_result_;
}

// ---- small ones ----

Decided Run::MakeDecided(const Active& call) const {
  Decided decided;
  decided.number = call.number;
  decided.call_id = call.call_id;
  decided.tool = call.tool;
  decided.decision = call.decision;
  decided.retry = call.retry;
  decided.approval = call.approval;
  decided.arguments_digest = call.arguments_digest;
  decided.arguments_size = call.canonical.size();
  decided.arguments = call.kept.text;
  decided.withheld = call.kept.withheld;
  decided.keyed = setup_.grant->has_sensitive();
  decided.time = now_;
  if (decided.withheld.empty()) return decided;
  int permission = call.decision.permission_index;
  if (permission < 0 && call.decision.nearest.has_value()) {
    const call::Nearest& nearest = *call.decision.nearest;
    permission = setup_.grant->PermissionIndex(nearest.skill, nearest.permission);
  }
  for (Withheld& one : decided.withheld) {
    const json::Value value = json::ValueAt(call.arguments.root(), one.pointer);
    for (const policy::KeywordOutcome& outcome :
         setup_.grant->OutcomesOf(permission, one.pointer, value)) {
      (outcome.holds ? one.holds : one.fails).push_back(outcome.keyword);
    }
  }
  return decided;
}

// Whether it is the result whose fate is unknown.
bool Run::IsSubmitted(const std::string& identity) const {
  if (submission_) return submission_->identity == identity;
  const auto it = active_.find(finalize_);
  return it != active_.end() && it->second.identity == identity;
}

Run::Active* Run::Find(uint64_t number) {
  const auto it = active_.find(number);
  return it == active_.end() ? nullptr : &it->second;
}

Settled Run::MakeSettled(const Active& call) const {
  Settled settled{.number = call.number,
                  .outcome = call.outcome,
                  .result_size = call.outcome.result.size(),
                  .time = now_};
  if (!setup_.grant->has_sensitive()) return settled;
  Kept kept = KeepResult(setup_.grant->SensitiveResult(call.tool), call.outcome.result, secrets_,
                         setup_.sensitive_key);
  settled.outcome.result = std::move(kept.text);
  settled.withheld = std::move(kept.withheld);
  // What a stub stored or a script said may hold the same values.
  const bool doubtful = !call.kept.withheld.empty() || !settled.withheld.empty();
  if (doubtful || secrets_.In(settled.outcome.note)) settled.outcome.note.clear();
  if (doubtful || secrets_.In(settled.outcome.changes)) {
    settled.changes_withheld = !settled.outcome.changes.empty();
    settled.outcome.changes.clear();
  }
  return settled;
}

// Of what is no call nobody can tell which part is sensitive.
Kept Run::KeptOf(const call::Call& call, bool malformed) const {
  if (malformed) {
    return setup_.grant->has_sensitive() ? Kept{} : Kept{call.canonical, {}};
  }
  const policy::Parts& sensitive = setup_.grant->SensitiveArguments(call.tool);
  if (sensitive.empty()) return {call.canonical, {}};
  return KeepArguments(sensitive, call.arguments.root(), setup_.sensitive_key);
}

std::string Run::DigestOfKept(const Kept& kept) const {
  const bool keyed = setup_.grant->has_sensitive() && !setup_.sensitive_key.empty();
  return base::ToHex(keyed ? base::KeyedDigestOf(setup_.sensitive_key, kept.text)
                           : base::DigestOf(kept.text));
}

StopKind Run::StopKindOf(const std::string& tool) const {
  return setup_.stop_kind(absl::string_view(tool).substr(0, tool.find('.')));
}

}  // namespace tipstaff::run
