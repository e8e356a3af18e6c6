// What an agent may know of the mediator's decision: `_meta["tipstaff/decision"]`.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::mcp {

inline constexpr absl::string_view kDecisionKey = "tipstaff/decision";

struct Decision {
  std::string id;       // "run_...#7"; "" when the mediator gave none
  std::string verdict;  // allow, deny, hold; unknown when the mediator's answer was lost
  std::string reason;   // a name of mediator/call/reason.h
  bool retry = false;   // whether another try could pass later
};

// {"id":...,"verdict":...,"reason":...,"retry":...}
std::string DecisionJson(const Decision& decision);

}  // namespace tipstaff::mcp
