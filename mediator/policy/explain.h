// Why a call was decided as it was: what each permission for the tool made of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mediator/policy/grant.h"

namespace tipstaff::policy {

struct Considered {
  // What a permission made of the call; the numbers say how near it came.
  enum class Came {
    kPermits,
    kAsks,          // it would permit it, once a person approves
    kPrecondition,  // its arguments pass, `after` is not met
    kLimit,         // a limit is used up
    kMarked,        // `refused_after`
    kArguments,     // a constraint of an argument failed
  };
  std::string skill, permission;
  Came came = Came::kArguments;
  // What did not hold, and where in the file; nothing for kPermits. Of several constraints the
  // first by the value's order.
  std::optional<call::Nearest> failed;
  size_t constraints = 0;  // that failed, for kArguments
};

// "permits", "arguments" and so on.
absl::string_view CameName(Considered::Came came);

struct Trace {
  call::Decision decision;              // what Decide() says
  std::vector<Considered> considered;   // every permission for the tool, by skill and id
  std::optional<call::Nearest> denied;  // the deny rule that matches, which overrides them
};

// Pure, as Decide(). For reviewers: it shows more than the agent may see.
Trace Explain(const Grant& grant, const RunFacts& facts, const call::Call& call);

}  // namespace tipstaff::policy
