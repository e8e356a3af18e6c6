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
//      where there is none, no write is dispatched.
//   3. One accepted result. A second finalize with the same content gets the first one's receipt.
// Not promised here: anything about time (the caller's clock must not run back) or about what the
// commands' executor does.
// Not thread-safe. No I/O.
#pragma once

#include <functional>
#include <map>
#include <memory>
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
#include "mediator/run/usage.h"
#include "mediator/run/withhold.h"

namespace tipstaff::run {

struct Setup {
  std::shared_ptr<const policy::Grant> grant;
  absl::Time expires_at;
  // How a backend of the grant can be stopped, by alias.
  std::function<StopKind(absl::string_view alias)> stop_kind;
  // Of the digests of sensitive values (withhold.h); 32 bytes, or empty.
  std::string sensitive_key;
};

class Run {
 public:
  explicit Run(Setup setup);

  // Takes in the run's records after run_opened, in order, before the first event. A mistake is
  // DataLoss; the run must then not be used.
  absl::Status Restore(const call::Record& record, uint64_t seq);
  // After the last Restore, also for a new run: sets timers, settles calls without an outcome as
  // unknown (never sends one again), goes on sealing.
  Commands Start(absl::Time now);

  Commands Handle(const Event& event, absl::Time now);

  // What Handle(CallArrived) would decide now. Changes nothing.
  call::Decision Preview(const call::Call& call, absl::Time now);

  Access access() const;
  Result result() const { return result_; }
  uint64_t decisions() const { return next_number_ - 1; }
  uint64_t allowed() const { return usage_.facts().run.allowed; }
  uint64_t denied() const { return denied_; }
  size_t in_flight() const { return active_.size(); }
  // A commit failed: nothing can be decided until the run is restored from the ledger.
  bool broken() const { return broken_; }

 private:
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
    Phase phase = Phase::kDeciding;
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
  using OnDurable = std::function<void(Run&, uint64_t first_seq)>;

  void On(const CallArrived& event);
  void On(const CommitDone& event);
  void On(const BackendReplied& event);
  void On(const BackendStopped& event);
  void On(const CancelAsked& event);
  void On(const TimerFired& event);
  void On(const CloseAsked& event);
  void On(const CleanupDone& event);

  // Answers a repeated call id; false when the id is new.
  bool AnswerRepeated(const CallArrived& event, const std::string& identity);
  call::Decision DecideNow(const call::Call& call, const std::string& identity) const;
  call::Decision CheckAccess(call::Decision decision, const std::string& identity) const;
  void Deny(Active call);
  void AnswerSecondFinalize(Active call);
  void Begin(Active call);
  void BeginFinalize(Active& call);
  void AfterIntent(uint64_t number);
  void TrySubmit();
  void Submit(Active& call);
  void Send(Active& call);
  void Settle(Active& call, call::Outcome outcome);
  void Done(uint64_t number, uint64_t outcome_seq);
  void AnswerWaiting(Active& call);
  void StopWritesForSealing();
  void Hold();
  void Close(call::Reason reason, Ended ended);
  void MaybeClean();
  void Break();

  Kept KeptOf(const call::Call& call, bool malformed) const;
  Decided MakeDecided(const Active& call) const;
  Settled MakeSettled(const Active& call) const;
  // Records that bring a finalize to `submitting`, as far as they are not recorded yet.
  void AddMissingSteps(Active& call, bool submitting, std::vector<call::Record>& records);
  void CommitThen(std::vector<call::Record> records, OnDurable then);
  void Emit(Command command) { out_.push_back(std::move(command)); }
  bool WritesInFlight() const;
  StopKind StopKindOf(const std::string& tool) const;
  absl::Status RestoreDecided(const call::Record& record);
  absl::Status RestoreSettled(const call::Record& record, uint64_t seq);

  const Setup setup_;
  Usage usage_;
  uint64_t denied_ = 0;
  Result result_ = Result::kNone;
  bool closed_ = false;
  call::Reason closed_reason_ = call::Reason::kRunClosed;
  Ended ended_;
  bool cleaning_ = false;
  bool broken_ = false;

  uint64_t next_number_ = 1;
  uint64_t next_ticket_ = 1;
  uint64_t records_ = 1;                   // appended or queued, run_opened included
  std::map<uint64_t, Active> active_;      // by number
  std::map<uint64_t, OnDurable> pending_;  // by ticket
  absl::flat_hash_map<std::string, uint64_t> active_ids_;
  absl::flat_hash_map<std::string, Past> past_;  // by call id
  uint64_t finalize_ = 0;                        // number of the call that is sealing or submitting
  std::string accepted_identity_;                // CallIdentity() of the accepted result
  Past accepted_;

  absl::Time now_;
  Commands out_;
};

// What a call is: its tool and its arguments (by their digest). The same for a repetition of it.
std::string CallIdentity(absl::string_view tool, absl::string_view arguments_digest);

}  // namespace tipstaff::run
