// How a call of a run is decided, as docs/policy-language.md has it.
//
//   const Judgement right = Decide(run, call);
//
// Skills are given as JSON documents with what stands in their files; that they are valid, and that
// the run may have been opened with them, is taken for granted. Of several permissions that refuse,
// the nearest says the reason; where it is not said to the last one which that is (tally.h), all
// reasons are given that may be. Pure. For tests: nothing here is fast.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mediator/call/reason.h"
#include "mediator/call/tool.h"
#include "mediator/json/document.h"
#include "tests/reference/counters.h"

namespace tipstaff::reference {

struct OfferedTool {
  std::string name;  // "alias.tool", "resource:alias.name", "prompt:alias.name"
  call::Effect effect = call::Effect::kRead;
};

// A call that was allowed. Times are milliseconds since the run was opened.
struct EarlierCall {
  std::string skill, permission;
  uint64_t at = 0;
  uint64_t argument_bytes = 0;
  bool settled = false;  // its outcome is there
  bool ok = false;
  uint64_t result_bytes = 0;
};

struct RunSoFar {
  std::vector<json::Value> skills;
  json::Value bindings;  // what was given
  std::vector<OfferedTool> tools;
  std::vector<EarlierCall> earlier;
  std::vector<std::string> canaries;  // planted texts
};

struct NewCall {
  std::string tool;
  json::Value arguments;
  uint64_t argument_bytes = 0;  // of the canonical form
  uint64_t at = 0;
};

// What one permission for the tool makes of the call.
struct Opinion {
  // In the order of how near they are to allowing it.
  enum class Came { kPermits, kAsks, kPrecondition, kLimit, kMarked, kArguments };
  std::string skill, permission;
  Came came = Came::kArguments;
  size_t least = 0, most = 0;                           // constraints that failed, for kArguments
  bool out_of_scope = false, argument_refused = false;  // which may be said of it
};

struct Judgement {
  call::Verdict verdict = call::Verdict::kDeny;
  std::set<call::Reason> reasons;
  // {skill, permission or rule}: which decided, or came nearest.
  std::set<std::pair<std::string, std::string>> by;
  // It may be a denial for a planted text as well; else it is what stands here.
  bool perhaps_canary = false;
  call::Effect effect = call::Effect::kRead;  // of what is offered
  std::vector<Opinion> opinions;              // by skill and id
};

Judgement Decide(const RunSoFar& run, const NewCall& call, Counters* counters = nullptr);

}  // namespace tipstaff::reference
