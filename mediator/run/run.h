// The state machine of one run.
//
//   Run run(setup);
//   for (const Command& command : run.Handle(CallArrived{...}, now)) Execute(command);
//
// Promises (tested in run_test.cc, and by the simulator against crashes at every point):
//   1. No call is dispatched to a backend outside the process before its decision is durable. A
//      call to a backend in the process is dispatched at once, as nothing outside is touched; its
//      decision and outcome are then one commit, and no reply leaves before it.
//   2. From the moment a submission starts until its definite refusal is durable, and for ever
//      where there is none, no write is dispatched, and none of unknown outcome is left that may
//      still act.
//   3. One accepted result. A second finalize with the same content gets the first one's receipt.
//   4. A result of unknown fate is delivered again only under the key that its receiver declares;
//      a refusal of that is final.
//   5. What was closed stays closed; no restart opens access or sends a call again.
// docs/finalization.md is the protocol, and tests/model what of it is proven.
// Not promised here: anything about time (the caller's clock must not run back) or about what the
// commands' executor does.
// Not thread-safe. No I/O.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "mediator/policy/grant.h"
#include "mediator/run/events.h"
#include "mediator/run/records.h"
#include "mediator/run/state.h"
#include "mediator/run/submission.h"
#include "mediator/run/usage.h"
#include "mediator/run/withhold.h"

namespace tipstaff::run {

struct Setup {
  std::shared_ptr<const policy::Grant> grant;
  absl::Time expires_at;
  // How a backend of the grant can be stopped, by alias.
  std::function<StopKind(absl::string_view alias)> stop_kind;
  std::string run;  // its id
  // The argument that takes a submission's key, by tool ("backend.tool"); "" when there is none.
  std::function<std::string(absl::string_view tool)> key_argument;
  // Of the digests of sensitive values (withhold.h); 32 bytes, or empty.
  std::string sensitive_key;
  // Bytes of the ledger that the run may fill; it is revoked then. 0: any number.
  uint64_t budget = 0;
  // Why a backend refuses a call of the tool before it is dispatched; may be empty.
  std::function<std::optional<call::Reason>(absl::string_view tool)> refuses = nullptr;
};

// Bytes, about.
uint64_t SizeInLedger(const call::Record& record);

// A call that waits for a person.
struct HeldCall {
  uint64_t number = 0;
  std::string tool;
  std::string arguments_digest;  // as the record of the decision has it
  std::string arguments;         // what the record keeps, at most kShownOfHeld bytes
  uint64_t arguments_size = 0;   // of what the record keeps
  uint64_t seq = 0;              // of that record
  int permission = -1;           // an index of the grant
  absl::Time since, until;
};

class Run {
 public:
  explicit Run(Setup setup);

  // Takes in the run's records after run_opened, in order, before the first event. A mistake is
  // DataLoss; the run must then not be used.
  absl::Status Restore(const call::Record& record, uint64_t seq);
  // After the last Restore, also for a new run: sets timers, settles calls without an outcome as
  // unknown (never sends one again), goes on sealing. The processes of killable backends that the
  // records speak of must be gone. `close`: and closes it, before anything of it goes on that the
  // ledger might not take.
  Commands Start(absl::Time now, const CloseAsked* close = nullptr);

  Commands Handle(const Event& event, absl::Time now);

  // Whether Handle(CallArrived) of such a call would make a decision by the run's policy, which
  // takes a search of its arguments: not of an id that came before, or once access is closed.
  bool Decides(const call::Call& call) const;
  // What Handle(CallArrived) would decide now. Changes nothing.
  call::Decision Preview(const call::Call& call, const policy::CanaryResult* searched,
                         absl::Time now);

  Access access() const;
  Result result() const { return result_; }
  // Why access is closed, where it is.
  call::Reason closed_reason() const { return closed_reason_; }
  const Tally& tally() const { return tally_; }
  size_t in_flight() const { return active_.size(); }
  // The calls outside the process, in flight or of unknown outcome, that may still write.
  std::vector<uint64_t> MayStillAct() const;
  // Those that nobody has said anything about yet, in time.
  std::vector<HeldCall> HeldCalls(absl::Time now) const;
  // A commit failed: nothing can be decided until the run is restored from the ledger. Access and
  // result are then what is on record.
  bool broken() const { return broken_; }

 private:
  // How far stopping a write has come.
  struct Stopping {
    bool asked = false;    // its backend was told to stop it, or asked about it
    bool in_vain = false;  // that leads nowhere
  };
  // A write of unknown outcome that nobody has stopped.
  struct Loose {
    std::string tool;
    StopKind stop = StopKind::kNone;
    Stopping stopping;
  };
  enum class Phase {
    kDeciding,    // the decision is being committed
    kSealing,     // a finalize that waits for writes in flight
    kDispatched,  // with the backend
    kSettling,    // the outcome is being committed
  };
  struct Active {
    uint64_t number = 0;
    std::string call_id, tool;
    json::Document arguments;
    std::string canonical;
    Kept kept;                     // of them, in records
    std::string arguments_digest;  // of what is kept
    std::string identity;          // CallIdentity()
    call::Decision decision;
    bool retry = false;
    StopKind stop = StopKind::kNone;
    Stopping stopping;
    bool over = false;  // nothing of it can take effect any more, whatever its outcome says
    Phase phase = Phase::kDeciding;
    uint64_t approval = 0;  // the held call that it waits for, or whose approval it uses
    // Which of its records are committed or queued.
    bool decided = false, sealing = false, submitting = false;
    call::Outcome outcome;
    std::vector<StreamId> waiting;
  };
  // A call that is over: what a repetition of its id gets.
  struct Past {
    uint64_t number = 0;
    std::string identity;
    uint64_t outcome_seq = 0;  // 0: denied
    call::Verdict verdict = call::Verdict::kDeny;
    call::Reason reason = call::Reason::kUndecided;
    bool retry = false;
  };
  // A call that waits for a person, or that one has spoken about. Approvals that were used are
  // gone.
  struct Held {
    enum class State { kWaiting, kSaying, kApproved, kDenied };
    std::string identity, tool, arguments_digest, arguments;
    uint64_t arguments_size = 0;
    uint64_t seq = 0;  // of the record of its decision; 0: not durable yet
    int permission = -1;
    absl::Time since, until;  // an answer is waited for, or can be used, before then
    State state = State::kWaiting;
  };
  using OnDurable = std::function<void(Run&, uint64_t first_seq)>;
  struct Pending {
    OnDurable then;
    call::RecordKind last;
  };

  void On(const CallArrived& event);
  void On(const CommitDone& event);
  void On(const BackendReplied& event);
  void On(const BackendStopped& event);
  void On(const QueryAnswered& event);
  void On(const CancelAsked& event);
  void On(const TimerFired& event);
  void On(const CloseAsked& event);
  void On(const ResolveAsked& event);
  void On(const ApprovalAsked& event);
  void On(const CleanupDone& event);

  // Answers a repeated call id; false when the id is new.
  bool AnswerRepeated(const CallArrived& event, const std::string& identity);
  call::Decision DecideNow(const call::Call& call, const policy::CanaryResult* searched,
                           const std::string& identity) const;
  size_t Unanswered() const;
  call::Decision CheckAccess(call::Decision decision, const std::string& identity) const;
  void Deny(Active call);
  void AnswerSecondFinalize(Active call);
  void Begin(Active call);
  void BeginFinalize(Active& call);
  void AfterIntent(uint64_t number);
  void GoOnSealing();
  void Submit(Active& call);
  void Send(Active& call);
  void Settle(Active& call, call::Outcome outcome);
  void Done(uint64_t number, uint64_t outcome_seq);
  void AnswerWaiting(Active& call);
  void Hold();
  // How a finalize ends: its last record, and the run's result once that is durable.
  struct End {
    call::RecordKind step;
    Result result;
  };
  End EndOf(const Active& finalize) const;

  bool WritesInFlight() const;
  bool AnswersMayCome() const;
  bool StoppingIsOver() const;
  void StopWrites();
  void AskToStop(uint64_t number, const std::string& tool, StopKind stop, Stopping& stopping);
  // Nothing more will take effect of a call that its backend was asked to stop, or about.
  void CallIsOver(uint64_t number, call::Outcome outcome);

  void PlanRedelivery();
  void Redeliver();
  void OnRedeliveryTime();

  absl::Status CheckResolution(Resolution as) const;
  void ResolveHeld(const ResolveAsked& event);
  void ResolveUnknown(const ResolveAsked& event);

  std::map<uint64_t, Held>::iterator FindHeld(const std::string& identity, int permission);
  void ConsultPerson(Active& call);
  void BeginWaiting(Active& call);
  void AddHeld(const Active& call, absl::Time since);
  void VoidApprovals();
  absl::Status CheckApproval(uint64_t number) const;
  std::string DecisionId(uint64_t number) const;

  void RevokeWhenOverBudget();
  bool HasNoRoom() const;
  void Close(call::Reason reason, Ended ended);
  void VoidFinalize();
  void OnCloseDeadline();
  void MaybeClean();
  void Break();
  void OnRecord(call::RecordKind last);

  Kept KeptOf(const call::Call& call, bool malformed) const;
  // Of what is kept; keyed where something may not be.
  std::string DigestOfKept(const Kept& kept) const;
  Decided MakeDecided(const Active& call) const;
  Settled MakeSettled(const Active& call) const;
  // Records that bring a finalize to `submitting`, as far as they are not recorded yet.
  void AddMissingSteps(Active& call, bool submitting, std::vector<call::Record>& records);
  void CommitThen(std::vector<call::Record> records, OnDurable then, bool awaited = true);
  void Emit(Command command) { out_.push_back(std::move(command)); }
  bool IsSubmitted(const std::string& identity) const;
  Active* Find(uint64_t number);
  StopKind StopKindOf(const std::string& tool) const;
  absl::Status RestoreDecided(const call::Record& record, uint64_t seq);
  absl::Status RestoreSettled(const call::Record& record, uint64_t seq);
  absl::Status RestoreStep(const call::Record& record, uint64_t seq);
  absl::Status RestoreResult(const call::Record& record, uint64_t seq);
  void RestoreHeld(Active& call, const Decided& decided, uint64_t seq);
  absl::Status RestoreApproval(const call::Record& record, uint64_t seq);
  absl::Status RestoreEnded(const call::Record& record);

  const Setup setup_;
  Usage usage_;
  Tally tally_;
  Result result_ = Result::kNone;
  // As the last event but one found it, and the last: for a test that leaves the check in the
  // transaction out.
  Result stale_result_ = Result::kNone, last_result_ = Result::kNone;
  bool closed_ = false;
  // What is on record of the two.
  Result recorded_result_ = Result::kNone;
  bool recorded_closed_ = false;
  call::Reason closed_reason_ = call::Reason::kRunClosed;
  Ended ended_;
  bool cleaning_ = false;
  bool broken_ = false;

  uint64_t next_number_ = 1;
  uint64_t next_ticket_ = 1;
  uint64_t records_ = 1;  // appended or queued, run_opened included
  uint64_t bytes_ = 0;    // of them, run_opened not included; SizeInLedger()
  int limit_refusals_ = 0;
  std::map<uint64_t, Active> active_;    // by number
  std::map<uint64_t, Pending> pending_;  // by ticket
  absl::flat_hash_map<std::string, uint64_t> active_ids_;
  absl::flat_hash_map<std::string, Past> past_;  // by call id
  std::map<uint64_t, Held> held_;                // by number
  Secrets secrets_;                              // of allowed calls
  std::map<uint64_t, Loose> loose_;              // by number

  uint64_t finalize_ = 0;  // number of the call that is sealing or being submitted
  // While sealing: whether writes are being stopped; when waiting for answers, or for stops, ends.
  bool stopping_ = false;
  absl::Time seal_deadline_ = absl::InfiniteFuture();
  absl::Time close_deadline_ = absl::InfiniteFuture();
  // The last finalize that is over, while its result is held or unknown.
  std::optional<Active> submission_;
  int redeliveries_ = 0;
  absl::Time redelivery_at_ = absl::InfiniteFuture();
  bool resolving_ = false;
  std::string accepted_identity_;  // CallIdentity() of the accepted result
  Past accepted_;

  absl::Time now_;
  Commands out_;
};

}  // namespace tipstaff::run
