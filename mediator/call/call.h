// A tool call, and what was decided about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/time/time.h"
#include "mediator/base/digest.h"
#include "mediator/call/reason.h"
#include "mediator/call/tool.h"
#include "mediator/json/document.h"

namespace tipstaff::call {

// What a guest asked. Everything in it is the guest's word; which run it belongs to is not in it,
// as that is known from the channel.
struct Call {
  std::string id;            // the guest's name for it; IsCallId()
  std::string tool;          // FullName() of what is called, for instance "reports.get_report"
  json::Document arguments;  // an object
  std::string canonical;     // json::Canonical(arguments): what is recorded and dispatched
};

// The permission that came nearest to allowing a denied call: for the reviewer, not for the agent.
struct Nearest {
  std::string skill;
  std::string permission;
  std::string pointer;     // JSON pointer of the argument, "" for the whole call
  std::string constraint;  // the keyword that failed, for instance "equals"
  std::string expected;    // in words; never a sensitive value
  std::string found;
  std::string file;  // where the constraint stands; line and column from 1
  int line = 0;
  int column = 0;
  int length = 1;  // of its keyword, in code points. Not recorded.
};

struct Decision {
  Verdict verdict = Verdict::kDeny;
  Reason reason = Reason::kUndecided;
  Effect effect = Effect::kRead;  // the tool's, raised by the skill where it says so
  std::string skill;              // "" when none decided
  std::string permission;         // the permission that allowed, or the deny rule
  int permission_index = -1;      // of the Grant; -1: none. Not recorded.
  std::string policy_digest;      // hex, of the deciding skill; of the whole grant where none did
  std::string detail;             // "" or a clause for the agent that shows no rule
  // The same call could be permitted later, although the reason alone does not say so.
  bool may_pass_later = false;
  std::optional<Nearest> nearest;
};

}  // namespace tipstaff::call
