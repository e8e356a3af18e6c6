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
  std::string result;  // a CallToolResult as JSON, for a refusal too; of other kinds the result
};

class Waiter {
 public:
  virtual ~Waiter() = default;
  // `total` 0: not known; `message` "": none.
  virtual void OnProgress(double progress, double total, const std::string& message) = 0;
  // The params of MCP's `notifications/message`, of log_level() and above.
  virtual void OnLog(const std::string&) {}
  // "" where nothing that is logged is wanted.
  virtual std::string log_level() const { return ""; }
  // Last, and once.
  virtual void OnAnswer(const Answer& answer) = 0;
};

}  // namespace tipstaff::host
