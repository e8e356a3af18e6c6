#include "tests/differential/compare.h"

#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/policy/explain.h"
#include "mediator/run/usage.h"
#include "tests/differential/world.h"

namespace tipstaff::differential {
namespace {

using policy::Considered;
using reference::Judgement;
using reference::Opinion;

std::shared_ptr<const policy::Skill> LoadOne(const Tree& skill, source::Diagnostics& diagnostics) {
  auto file = std::make_shared<source::File>();
  file->path = absl::StrCat(skill.Find("skill")->text, ".yaml");
  file->text = skill.ToJson();
  return policy::LoadSkill(std::move(file), WorldCatalog(), diagnostics);
}

policy::RunFacts FactsOf(const Case& one, const policy::Grant& grant) {
  run::Usage usage(grant.permission_count(), grant.limits_rate());
  const auto time = [](uint64_t at) { return absl::FromUnixMillis(static_cast<int64_t>(at)); };
  for (const reference::EarlierCall& earlier : one.earlier) {
    const int index = grant.PermissionIndex(earlier.skill, earlier.permission);
    usage.Allowed(index, earlier.argument_bytes, time(earlier.at));
    if (earlier.settled) usage.Settled(index, earlier.ok, earlier.result_bytes);
  }
  usage.Advance(time(one.at));
  return usage.facts();
}

const char* Name(Considered::Came came) {
  switch (came) {
    case Considered::Came::kPermits:
      return "permits";
    case Considered::Came::kPrecondition:
      return "precondition";
    case Considered::Came::kLimit:
      return "limit";
    case Considered::Came::kMarked:
      return "marked";
    case Considered::Came::kArguments:
      return "arguments";
  }
  return "";
}

const char* Name(Opinion::Came came) {
  return came == Opinion::Came::kPermits        ? "permits"
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
  if (absl::string_view(Name(is.came)) != Name(right.came)) {
    return absl::StrCat(who, "mediator says ", Name(is.came), at, ", reference ", Name(right.came),
                        "\n");
  }
  if (right.came != Opinion::Came::kArguments) return "";
  if (is.constraints >= right.least && is.constraints <= right.most) return "";
  return absl::StrCat(who, "mediator counts ", is.constraints, " constraints", at, ", reference ",
                      right.least, " to ", right.most, "\n");
}

std::string CompareDecisions(const call::Decision& is, const Judgement& right, bool tool_known) {
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

}  // namespace

std::unique_ptr<GrantedRun> GrantedRun::Open(const Case& run, std::string& why) {
  auto granted = std::make_unique<GrantedRun>();
  source::Diagnostics diagnostics;
  std::vector<std::shared_ptr<const policy::Skill>> skills;
  for (const Tree& skill : run.skills) {
    skills.push_back(LoadOne(skill, diagnostics));
    if (skills.back() == nullptr) {
      why = source::RenderText(diagnostics);
      return nullptr;
    }
    granted->skills_.push_back(*json::Parse(skill.ToJson()));
  }
  granted->given_ = *json::Parse(run.bindings.ToJson());
  granted->grant_ = policy::Grant::Make(skills, granted->given_, WorldCatalog(), diagnostics);
  if (granted->grant_ == nullptr) {
    why = source::RenderText(diagnostics);
    return nullptr;
  }
  granted->bindings_ = Tree::Of(granted->grant_->bindings().root());
  for (const WorldTool& tool : WorldTools()) {
    for (const Tree& skill : run.skills) {
      if (skill.Find("backends")->Find(tool.alias) == nullptr) continue;
      granted->tools_.push_back({tool.FullName(), tool.effect});
      break;
    }
  }
  return granted;
}

GrantedRun::Answer GrantedRun::Ask(const Case& one, Coverage* coverage) const {
  Answer answer;
  call::Call call{.id = "c", .tool = one.tool, .arguments = *json::Parse(one.arguments.ToJson())};
  call.canonical = json::Canonical(call.arguments.root());
  answer.argument_bytes = call.canonical.size();
  const policy::RunFacts facts = FactsOf(one, *grant_);
  answer.decision = policy::Decide(*grant_, facts, call);
  // What the run's state machine does before it asks.
  const auto wall = grant_->limits().wall;
  const bool expired = wall.has_value() && absl::Milliseconds(one.at) >= *wall;
  if (expired) {
    answer.decision =
        call::Decision{.reason = call::Reason::kRunExpired, .effect = answer.decision.effect};
  }

  reference::RunSoFar run{.bindings = given_.root(), .tools = tools_, .earlier = one.earlier};
  for (const json::Document& skill : skills_) run.skills.push_back(skill.root());
  const Judgement right = reference::Decide(run,
                                            {.tool = one.tool,
                                             .arguments = call.arguments.root(),
                                             .argument_bytes = call.canonical.size(),
                                             .at = one.at},
                                            coverage == nullptr ? nullptr : &coverage->words);
  const bool tool_known = std::any_of(tools_.begin(), tools_.end(),
                                      [&](const auto& tool) { return tool.name == one.tool; });
  answer.difference = CompareDecisions(answer.decision, right, tool_known && !expired);
  if (!expired) {
    const policy::Trace trace = policy::Explain(*grant_, facts, call);
    if (trace.considered.size() != right.opinions.size()) {
      absl::StrAppend(&answer.difference, "permissions: mediator ", trace.considered.size(),
                      ", reference ", right.opinions.size(), "\n");
    }
    for (size_t i = 0; i < std::min(trace.considered.size(), right.opinions.size()); ++i) {
      answer.difference += Compare(trace.considered[i], right.opinions[i]);
    }
  }
  if (coverage != nullptr) {
    ++coverage->pairs;
    ++coverage->reasons[answer.decision.reason];
    if (right.reasons.size() > 1) ++coverage->unclear;
  }
  return answer;
}

std::string Case::Show() const {
  std::string out;
  for (const Tree& skill : skills) absl::StrAppend(&out, "skill: ", skill.ToJson(), "\n");
  absl::StrAppend(&out, "bindings: ", bindings.ToJson(), "\n");
  for (const reference::EarlierCall& one : earlier) {
    absl::StrAppend(&out, "earlier: ", one.skill, "/", one.permission, " at ", one.at, " ms, ",
                    one.argument_bytes, " bytes",
                    one.settled ? (one.ok ? ", ok, " : ", failed, ") : ", in flight, ",
                    one.result_bytes, " bytes\n");
  }
  return absl::StrCat(out, "call: ", tool, " ", arguments.ToJson(), " at ", at, " ms\n");
}

}  // namespace tipstaff::differential
