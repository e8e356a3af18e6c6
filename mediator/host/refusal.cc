#include "mediator/host/refusal.h"

#include "absl/strings/str_cat.h"
#include "mediator/call/outcome.h"

namespace tipstaff::host {

std::string RefusalResult(absl::string_view decision_id, call::Reason reason, bool retry,
                          absl::string_view detail) {
  std::string text =
      absl::StrCat("Refused (", call::ReasonName(reason), "): ", call::ReasonSentence(reason));
  if (!detail.empty()) absl::StrAppend(&text, ": ", detail);
  absl::StrAppend(&text, ". ");
  if (!decision_id.empty()) absl::StrAppend(&text, "Decision ", decision_id, ". ");
  if (reason == call::Reason::kApprovalPending) {
    absl::StrAppend(&text, "Make the same call again once a person has approved it.");
  } else {
    absl::StrAppend(
        &text, retry ? "Trying again later may help." : "Trying the same again will not help.");
  }
  return call::ErrorResult(text);
}

}  // namespace tipstaff::host
