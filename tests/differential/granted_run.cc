#include "tests/differential/granted_run.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/policy/explain.h"
#include "mediator/run/usage.h"
#include "tests/differential/compare.h"
#include "tests/differential/world.h"

namespace tipstaff::differential {
namespace {

std::shared_ptr<const policy::Skill> LoadOne(const Tree& skill, source::Diagnostics& diagnostics) {
  auto file = std::make_shared<source::File>();
  file->path = absl::StrCat(skill.Find("skill")->text, ".yaml");
  file->text = skill.ToJson();
  return policy::LoadSkill(std::move(file), WorldCatalog(), diagnostics);
}

std::vector<reference::OfferedTool> ToolsOf(const Case& run) {
  std::vector<reference::OfferedTool> offered;
  for (const WorldTool& tool : WorldTools()) {
    const bool there = std::any_of(run.skills.begin(), run.skills.end(), [&](const Tree& skill) {
      return skill.Find("backends")->Find(tool.alias) != nullptr;
    });
    if (there) offered.push_back({tool.FullName(), tool.effect});
  }
  return offered;
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
  granted->grant_ =
      policy::Grant::Make(skills, granted->given_, WorldCatalog(), diagnostics, run.canaries);
  if (granted->grant_ == nullptr) {
    why = source::RenderText(diagnostics);
    return nullptr;
  }
  granted->published_ = std::make_unique<Published>(*granted->grant_);
  granted->bindings_ = Tree::Of(granted->grant_->bindings().root());
  granted->tools_ = ToolsOf(run);
  return granted;
}

policy::RunFacts GrantedRun::FactsOf(const Case& one) const {
  run::Usage usage(grant_->permission_count(), grant_->limits_rate());
  const auto time = [](uint64_t at) { return absl::FromUnixMillis(static_cast<int64_t>(at)); };
  for (const reference::EarlierCall& earlier : one.earlier) {
    const int index = grant_->PermissionIndex(earlier.skill, earlier.permission);
    usage.Allowed(index, earlier.argument_bytes, time(earlier.at));
    if (earlier.settled) usage.Settled(index, earlier.ok, earlier.result_bytes);
  }
  usage.Advance(time(one.at));
  return usage.facts();
}

reference::Judgement GrantedRun::Judge(const Case& one, const call::Call& call,
                                       Coverage* coverage) const {
  reference::RunSoFar run{
      .bindings = given_.root(), .tools = tools_, .earlier = one.earlier, .canaries = one.canaries};
  for (const json::Document& skill : skills_) run.skills.push_back(skill.root());
  const reference::NewCall asked{.tool = one.tool,
                                 .arguments = call.arguments.root(),
                                 .argument_bytes = call.canonical.size(),
                                 .at = one.at};
  return reference::Decide(run, asked, coverage == nullptr ? nullptr : &coverage->words);
}

GrantedRun::Answer GrantedRun::Ask(const Case& one, Coverage* coverage) const {
  Answer answer;
  call::Call call{.id = "c", .tool = one.tool, .arguments = *json::Parse(one.arguments.ToJson())};
  call.canonical = json::Canonical(call.arguments.root());
  answer.argument_bytes = call.canonical.size();
  const policy::RunFacts facts = FactsOf(one);
  const reference::Judgement right = Judge(one, call, coverage);
  // What the run's state machine looks at before it asks.
  const auto wall = grant_->limits().wall;
  const bool expired = wall.has_value() && absl::Milliseconds(one.at) >= *wall;
  answer.decision = expired ? call::Decision{.reason = call::Reason::kRunExpired}
                            : policy::Decide(*grant_, facts, call);
  const bool known = std::any_of(tools_.begin(), tools_.end(),
                                 [&](const auto& tool) { return tool.name == one.tool; });
  answer.difference = CompareDecisions(answer.decision, right, known && !expired);
  if (!expired) {
    answer.difference += CompareOpinions(policy::Explain(*grant_, facts, call), right);
  }
  answer.difference += published_->WrongWithSchemas();
  answer.difference += published_->WrongWith(call, answer.decision);
  if (coverage != nullptr) {
    ++coverage->pairs;
    ++coverage->reasons[answer.decision.reason];
    if (right.reasons.size() > 1 || right.perhaps_canary) ++coverage->unclear;
  }
  return answer;
}

}  // namespace tipstaff::differential
