// Whoever waits for a call: a guest behind a gate, or an operator on the admin socket.
#pragma once

#include <string>

#include "mediator/call/reason.h"

namespace tipstaff::host {

struct Answer {
  std::string decision_id;  // "run_...#7"; "" when the decision is not on record
  call::Verdict verdict = call::Verdict::kDeny;
  call::Reason reason = call::Reason::kUndecided;
  bool retry = false;
  std::string result;  // a CallToolResult as JSON, for a refusal too
};

class Waiter {
 public:
  virtual ~Waiter() = default;
  virtual void OnProgress(double progress, double total) = 0;
  // Last, and once.
  virtual void OnAnswer(const Answer& answer) = 0;
};

}  // namespace tipstaff::host
