// What an agent is told when its call is refused.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "mediator/call/reason.h"

namespace tipstaff::host {

// What an agent reads of a refusal.
std::string RefusalResult(absl::string_view decision_id, call::Reason reason, bool retry,
                          absl::string_view detail);

}  // namespace tipstaff::host
