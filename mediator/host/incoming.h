// A call as it came, and what a run is told of it.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "mediator/policy/grant.h"
#include "mediator/run/run.h"

namespace tipstaff::host {

// Begins the ids of the operator's calls.
inline constexpr absl::string_view kOperatorPrefix = "operator:";

struct Incoming {
  std::string call_id;
  // A published name or "backend.tool"; of a resource or a subscription nothing, as its URI says
  // which. An operator's may be a call::FullName() of any kind.
  std::string tool;
  std::string arguments;
  call::Kind kind = call::Kind::kTool;
  bool by_operator = false;  // else by a guest, whose ids must not begin with kOperatorPrefix
};

// The call, or `malformed`: what is wrong with it, beside as much of it as is kept for the record.
// The stream is not set.
run::CallArrived ReadCall(const Incoming& incoming, const policy::Grant& grant);

}  // namespace tipstaff::host
