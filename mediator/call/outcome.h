// What came of a call that was dispatched.
#pragma once

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace tipstaff::call {

enum class OutcomeKind {
  kOk,         // the tool answered
  kToolError,  // the tool answered with an error: nothing took effect unless it says otherwise;
               // of a finalize outside the process no definite refusal (docs/decisions/0010)
  kRefused,    // a finalize only: the receiver definitely refused
  kStubError,  // a stub's script failed and was rolled back
  kFailed,     // the backend failed before anything took effect
  kCancelled,  // stopped before anything took effect
  kUnknown,    // nobody knows whether it took effect
};

absl::string_view OutcomeKindName(OutcomeKind kind);  // "ok", "tool_error", ...
std::optional<OutcomeKind> ParseOutcomeKind(absl::string_view name);

struct Outcome {
  OutcomeKind kind = OutcomeKind::kUnknown;
  // An MCP CallToolResult object as JSON text: {"content":[...],"structuredContent":...}, with
  // "isError":true for anything but kOk.
  std::string result;
  // For a stub: what its tables changed, as canonical JSON; "" when nothing did.
  std::string changes;
  absl::Duration duration;
  std::string note;  // for the operator, never for the guest: why a stub's script failed

  // Of a stub's refusal: for its token the call did not reach the stub, whose state (its clock, for
  // instance) does not count it. A call that is made again after a restart is not this one.
  bool turned_away = false;

  // Of a stub's kUnknown: the stub itself let the call time out, as a fault of it says, and its state
  // counts the call. A call that is made again after a restart is this one.
  bool timed_out = false;

  // How long the reply is held back, and how many progress reports the guest gets meanwhile
  // (a stub's simulated slowness; not recorded).
  absl::Duration reply_delay;
  int progress_reports = 0;
};

// A CallToolResult with one text block, and isError: for failures that Tipstaff itself reports.
std::string ErrorResult(absl::string_view text);
// An outcome of `kind` (not kOk) with such a result.
Outcome Failure(OutcomeKind kind, absl::string_view text);

}  // namespace tipstaff::call
