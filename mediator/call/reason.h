// Verdicts and the closed list of reasons: the same words in the ledger, the API, tests, documents.
#pragma once

#include <optional>

#include "absl/strings/string_view.h"

namespace tipstaff::call {

enum class Verdict { kAllow, kDeny, kHold };

enum class Reason {
  kPermitted,
  kUnknownTool,      // no backend of the run offers it
  kNoPermission,     // no permission names it
  kArgumentRefused,  // an argument is unlisted, missing, or fails a constraint
  kOutOfScope,       // a scope constraint failed: outside what the run was opened for
  kDenyRule,
  kPrecondition,  // `after` is not met
  kLimitExceeded,
  kMarked,      // `refused_after`: the run carries a label
  kCanary,      // a planted string is leaving
  kRunSealing,  // the result is being submitted
  kRunFinal,    // the result was submitted, or a person has to decide about it
  kRunClosed,
  kRunExpired,
  kRunRevoked,
  kApprovalPending,
  kApprovalDenied,
  kApprovalExpired,
  kBackendChanged,  // the tool differs from its pin
  kBackendUnavailable,
  kBackendUnapproved,  // no valid sign-off
  kMalformed,          // not a call: bad JSON, a bad name or id
  kCallIdReused,       // the id was used with other arguments
  kResultNotKept,      // a repeated call whose result was not stored
  kUndecided,          // an internal failure: always a denial
};

absl::string_view VerdictName(Verdict verdict);  // "allow", "deny", "hold"
std::optional<Verdict> ParseVerdict(absl::string_view name);

absl::string_view ReasonName(Reason reason);  // "permitted", "unknown_tool", ...
std::optional<Reason> ParseReason(absl::string_view name);

// One sentence for the agent: what happened, and nothing of the rules beyond what the published
// tool schema shows.
absl::string_view ReasonSentence(Reason reason);

// Whether the same call, with a new call id, could be permitted later without the operator.
bool MayPassLater(Reason reason);

}  // namespace tipstaff::call
