#include "mediator/call/reason.h"

#include <iterator>

namespace tipstaff::call {
namespace {

struct Row {
  Reason reason;
  const char* name;
  const char* sentence;
  bool may_pass_later;
};

constexpr Row kRows[] = {
    {Reason::kPermitted, "permitted", "the call is permitted", false},
    {Reason::kUnknownTool, "unknown_tool", "there is no such tool", false},
    {Reason::kNoPermission, "no_permission", "this run may not use this tool", false},
    {Reason::kArgumentRefused, "argument_refused",
     "an argument is not accepted; see the tool's input schema", false},
    {Reason::kOutOfScope, "out_of_scope", "the call reaches outside what this run is for", false},
    {Reason::kDenyRule, "deny_rule", "a rule of the operator forbids this call", false},
    {Reason::kPrecondition, "precondition", "another call must succeed before this one", true},
    {Reason::kLimitExceeded, "limit_exceeded", "a limit of this run is used up", false},
    {Reason::kMarked, "marked", "not permitted any more after what this run has read", false},
    {Reason::kCanary, "canary", "the arguments carry data that must not leave", false},
    {Reason::kRunSealing, "run_sealing", "the result is being submitted; no write is accepted now",
     true},
    {Reason::kRunFinal, "run_final", "the run takes no more writes and no other result", false},
    {Reason::kRunClosed, "run_closed", "the run is closed", false},
    {Reason::kRunExpired, "run_expired", "the run's time is over", false},
    {Reason::kRunRevoked, "run_revoked", "the run was revoked", false},
    {Reason::kApprovalPending, "approval_pending", "a person has to approve this call first", true},
    {Reason::kApprovalDenied, "approval_denied", "a person refused this call", false},
    {Reason::kApprovalExpired, "approval_expired", "nobody approved this call in time", true},
    {Reason::kBackendChanged, "backend_changed", "the tool has changed since it was approved",
     false},
    {Reason::kBackendUnavailable, "backend_unavailable", "the tool's system cannot be reached now",
     true},
    {Reason::kBackendUnapproved, "backend_unapproved", "the tool's system is not approved", false},
    {Reason::kMalformed, "malformed", "the call is not well formed", false},
    {Reason::kCallIdReused, "call_id_reused", "the call id was used for another call", false},
    {Reason::kResultNotKept, "result_not_kept",
     "the call was made before and its result was not kept", false},
    {Reason::kUndecided, "undecided", "the call could not be decided, so it is refused", true},
};

const Row& RowOf(Reason reason) { return kRows[static_cast<int>(reason)]; }

constexpr bool InOrder() {
  for (size_t i = 0; i < std::size(kRows); ++i) {
    if (static_cast<size_t>(kRows[i].reason) != i) return false;
  }
  return std::size(kRows) == static_cast<size_t>(Reason::kUndecided) + 1;
}
static_assert(InOrder(), "one row for each reason, in the order of the enumeration");

constexpr const char* kVerdicts[] = {"allow", "deny", "hold"};

}  // namespace

absl::string_view VerdictName(Verdict verdict) { return kVerdicts[static_cast<int>(verdict)]; }

std::optional<Verdict> ParseVerdict(absl::string_view name) {
  for (const Verdict verdict : {Verdict::kAllow, Verdict::kDeny, Verdict::kHold}) {
    if (name == VerdictName(verdict)) return verdict;
  }
  return std::nullopt;
}

absl::string_view ReasonName(Reason reason) { return RowOf(reason).name; }

std::optional<Reason> ParseReason(absl::string_view name) {
  for (const Row& row : kRows) {
    if (name == row.name) return row.reason;
  }
  return std::nullopt;
}

absl::string_view ReasonSentence(Reason reason) { return RowOf(reason).sentence; }
bool MayPassLater(Reason reason) { return RowOf(reason).may_pass_later; }

}  // namespace tipstaff::call
