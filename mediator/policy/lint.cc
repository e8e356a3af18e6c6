#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/glob.h"
#include "mediator/policy/loader.h"

namespace tipstaff::policy::internal {

void Loader::Lint() {
  for (const Permission& permission : skill_->permissions_) {
    const Reader::Within within(reader_, absl::StrCat("in permission ", Shown(permission.id)));
    LintPermission(permission);
  }
  LintMarks();
  LintRules();
  LintTests();
}

void Loader::LintPermission(const Permission& permission) {
  for (const DenyRule& rule : skill_->deny_) {
    if (rule.program.has_value() || !GlobMatches(rule.tool, permission.tool)) continue;
    reader_.Warn(permission.node.Find("tool"), kAlwaysDenied,
                 absl::StrCat("the deny rule `", rule.id, "` overrides this permission"));
  }
  const size_t dot = permission.tool.find('.');
  for (const call::Tool& tool : tools_[permission.tool.substr(0, dot)]) {
    if (tool.name == permission.tool.substr(dot + 1)) {
      LintArguments(permission, tool.input_schema.root());
    }
  }
}

void Loader::LintArguments(const Permission& permission, json::Value schema) {
  const json::Value properties = schema.Find("properties");
  std::vector<std::string> known;
  for (const json::Member& member : properties.members()) known.emplace_back(member.key);
  for (const json::Member& member : permission.listed().members()) {
    if (properties.Find(member.key).exists()) continue;
    const std::string near = source::NearestName(member.key, known);
    reader_.Warn(member.value, kForeignArgument,
                 absl::StrCat("`", permission.tool, "` has no argument ", Shown(member.key),
                              near.empty() ? "" : absl::StrCat(": did you mean `", near, "`?")));
  }
  for (json::Value name : schema.Find("required").items()) {
    // A schema may ask for it elsewhere.
    if (!name.is_string() || permission.schema.exists()) continue;
    if (permission.args.Find(name.string()).exists()) continue;
    reader_.Warn(permission.node.Find("tool"), kMissingArgument,
                 absl::StrCat("`", permission.tool, "` requires the argument ",
                              Shown(name.string()), ", which the permission does not list"));
  }
}

void Loader::LintRules() {
  for (const DenyRule& rule : skill_->deny_) {
    bool matches = false;
    for (const auto& [alias, tools] : tools_) {
      for (const call::Tool& tool : tools) {
        matches = matches || GlobMatches(rule.tool, absl::StrCat(alias, ".", tool.name));
      }
    }
    if (matches) continue;
    reader_.Warn(rule.node.Find("tool"), kIdleRule,
                 absl::StrCat("no tool of the skill's backends matches `", rule.tool, "`"));
  }
}

void Loader::LintTests() {
  const bool denies = std::any_of(
      skill_->tests_.begin(), skill_->tests_.end(),
      [](const SkillTest& test) { return test.expect.verdict == call::Verdict::kDeny; });
  if (!denies) reader_.Warn(root(), kNoDenialTest, "the skill has no test for a denial");
}

}  // namespace tipstaff::policy::internal
