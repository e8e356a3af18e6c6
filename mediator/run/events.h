// What happens to a run (events) and what is to be done about it (commands).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "mediator/call/call.h"
#include "mediator/call/outcome.h"
#include "mediator/call/record.h"
#include "mediator/policy/canary.h"
#include "mediator/run/records.h"
#include "mediator/run/stop_kind.h"

namespace tipstaff::run {

// One waiting guest request; chosen by the shell, never used twice.
using StreamId = uint64_t;

enum class Timer { kExpiry, kSealDeadline, kCloseDeadline, kRedelivery };

// ---- events ----

struct CallArrived {
  StreamId stream = 0;
  call::Call call;
  // Not empty: the request was not a call (bad JSON, a bad name or id); `call` then holds what
  // could be read of it, cut and made printable, and its `canonical` the raw arguments.
  std::string malformed;
  // The ledger takes nothing new, so that only a repeated call id is answered: a commit that fails
  // would put an end to what is in flight.
  bool no_room = false;
  // What the arguments were searched with, where that was done before: policy::Decide().
  std::optional<policy::CanaryResult> searched;
};
struct CommitDone {
  uint64_t ticket = 0;
  bool durable = false;    // false: the disk refused; nothing of it is on record
  uint64_t first_seq = 0;  // of the first record of the commit, when durable
};
struct BackendReplied {
  uint64_t number = 0;
  call::Outcome outcome;
};
// A backend that was told to stop a call says that nothing of it can take effect any more.
struct BackendStopped {
  uint64_t number = 0;
};
// A backend that was asked about a write answers.
struct QueryAnswered {
  uint64_t number = 0;
  TookPlace took_place = TookPlace::kUnknown;
};
struct CancelAsked {
  StreamId stream = 0;
};
struct TimerFired {
  Timer timer = Timer::kExpiry;
};
struct CloseAsked {
  std::string by, why;
  bool revoke = false;
};
// A person says what nobody else knows; ResolveAnswered follows, with the same `request`.
struct ResolveAsked {
  uint64_t request = 0;
  Resolution as = Resolution::kOver;
  std::string by, why;
};
// A person says whether the call that is held with that number may be made. That it is one who may
// say so is checked before. ApprovalAnswered follows, with the same `request`.
struct ApprovalAsked {
  uint64_t request = 0;
  uint64_t number = 0;
  bool approves = false;  // else denies
  std::string by, why;
  std::string note;  // what the person signed, or ""
};
// The shell has cleaned up after Cleanup.
struct CleanupDone {
  std::vector<std::string> checked;
};

using Event =
    std::variant<CallArrived, CommitDone, BackendReplied, BackendStopped, QueryAnswered,
                 CancelAsked, TimerFired, CloseAsked, ResolveAsked, ApprovalAsked, CleanupDone>;

// ---- commands, to be carried out in their order ----

// Append to the ledger as one; CommitDone follows. Commits become durable in the order given.
struct Commit {
  uint64_t ticket = 0;
  std::vector<call::Record> records;
  // Nobody waits for it: it may wait for one that somebody does, to share its sync.
  bool awaited = true;
};
// Hand the call to its backend; BackendReplied follows (at once or later). A result of unknown fate
// comes a second time, with the same number and key, once nothing is waited for from the first.
struct Dispatch {
  uint64_t number = 0;
  std::string tool;          // "backend.tool"
  json::Document arguments;  // as recorded; and the submission's key, where the tool declares one
  std::string canonical;
  call::Effect effect = call::Effect::kRead;
  std::string submission_key;  // a finalize only; SubmissionKey()
  StreamId stream = 0;         // of whoever asked first; 0: nobody waits
};
// The guest no longer waits for the call: tell the backend.
struct CancelCall {
  uint64_t number = 0;
};
// Stop the call for good; BackendStopped follows (or BackendReplied, if it was faster). Also for a
// call that was answered as unknown.
struct StopCall {
  uint64_t number = 0;
  std::string tool;
};
// Ask the backend whether the write took place; QueryAnswered follows. Also for a call that was
// answered as unknown.
struct QueryCall {
  uint64_t number = 0;
  std::string tool;
};
// Answer a waiting guest.
struct Reply {
  StreamId stream = 0;
  uint64_t number = 0;  // 0: the decision is not on record
  call::Verdict verdict = call::Verdict::kDeny;
  call::Reason reason = call::Reason::kUndecided;
  bool retry = false;
  std::string detail;  // a denial only: a clause for the agent, or ""
  std::string result;  // a CallToolResult as JSON; "" for a denial
  absl::Duration delay;
  int progress_reports = 0;
};
// Answer with what is on record for an earlier call: its `outcome` record is `outcome_seq`, or 0
// when it was denied (then verdict and reason say how).
struct ReplyRecorded {
  StreamId stream = 0;
  uint64_t number = 0;
  uint64_t outcome_seq = 0;
  call::Verdict verdict = call::Verdict::kDeny;
  call::Reason reason = call::Reason::kUndecided;
  bool retry = false;
};
struct SetTimer {
  Timer timer = Timer::kExpiry;
  absl::Time at;
};
// What became of ResolveAsked: OK once it is durable, FailedPrecondition when there is nothing of
// the kind to resolve, Unavailable when it could not be recorded.
struct ResolveAnswered {
  uint64_t request = 0;
  absl::Status status;
};
// What became of ApprovalAsked, as ResolveAnswered.
struct ApprovalAnswered {
  uint64_t request = 0;
  absl::Status status;
};
// Access is closed and nothing is in flight: remove what was the run's own, then CleanupDone.
struct Cleanup {};
// `closed` is durable: nothing more will come of this run.
struct Finished {};

using Command =
    std::variant<Commit, Dispatch, CancelCall, StopCall, QueryCall, Reply, ReplyRecorded, SetTimer,
                 ResolveAnswered, ApprovalAnswered, Cleanup, Finished>;
using Commands = std::vector<Command>;

}  // namespace tipstaff::run
