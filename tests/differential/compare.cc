#include "tests/differential/compare.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace tipstaff::differential {
namespace {

using policy::Considered;
using reference::Judgement;
using reference::Opinion;

const char* Name(Opinion::Came came) {
  return came == Opinion::Came::kPermits        ? "permits"
         : came == Opinion::Came::kAsks         ? "asks"
         : came == Opinion::Came::kPrecondition ? "precondition"
         : came == Opinion::Came::kLimit        ? "limit"
         : came == Opinion::Came::kMarked       ? "marked"
                                                : "arguments";
}

std::string Compare(const Considered& is, const Opinion& right) {
  const std::string who = absl::StrCat("permission ", right.skill, "/", right.permission, ": ");
  if (is.skill != right.skill || is.permission != right.permission) {
    return absl::StrCat(who, "the mediator considers ", is.skill, "/", is.permission, " here\n");
  }
  const std::string at = is.failed.has_value() ? absl::StrCat(" (", is.failed->constraint, " at `",
                                                              is.failed->pointer, "`)")
                                               : "";
  if (policy::CameName(is.came) != Name(right.came)) {
    return absl::StrCat(who, "mediator says ", policy::CameName(is.came), at, ", reference ",
                        Name(right.came), "\n");
  }
  if (right.came != Opinion::Came::kArguments) return "";
  if (is.constraints >= right.least && is.constraints <= right.most) return "";
  return absl::StrCat(who, "mediator counts ", is.constraints, " constraints", at, ", reference ",
                      right.least, " to ", right.most, "\n");
}

}  // namespace

std::string CompareDecisions(const call::Decision& is, const Judgement& right, bool tool_known) {
  if (right.perhaps_canary && is.reason == call::Reason::kCanary) return "";
  std::string out;
  if (is.verdict != right.verdict) {
    absl::StrAppend(&out, "verdict: mediator ", call::VerdictName(is.verdict), ", reference ",
                    call::VerdictName(right.verdict), "\n");
  }
  if (!right.reasons.contains(is.reason)) {
    absl::StrAppend(&out, "reason: mediator ", call::ReasonName(is.reason), ", reference");
    for (const call::Reason reason : right.reasons) {
      absl::StrAppend(&out, " ", call::ReasonName(reason));
    }
    out += "\n";
  }
  if (tool_known && is.effect != right.effect) {
    absl::StrAppend(&out, "effect: mediator ", call::EffectName(is.effect), ", reference ",
                    call::EffectName(right.effect), "\n");
  }
  std::pair<std::string, std::string> by = {is.skill, is.permission};
  if (by.first.empty() && is.nearest.has_value()) by = {is.nearest->skill, is.nearest->permission};
  if (right.by.empty() ? by.first.empty() : right.by.contains(by)) return out;
  absl::StrAppend(&out, "by: mediator ", by.first, "/", by.second, ", reference");
  for (const auto& [skill, permission] : right.by)
    absl::StrAppend(&out, " ", skill, "/", permission);
  return out + "\n";
}

std::string CompareOpinions(const policy::Trace& trace, const Judgement& right) {
  std::string out;
  if (trace.considered.size() != right.opinions.size()) {
    absl::StrAppend(&out, "permissions: mediator ", trace.considered.size(), ", reference ",
                    right.opinions.size(), "\n");
  }
  for (size_t i = 0; i < std::min(trace.considered.size(), right.opinions.size()); ++i) {
    out += Compare(trace.considered[i], right.opinions[i]);
  }
  return out;
}

}  // namespace tipstaff::differential
