#include "mediator/policy/lint.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/loader.h"

namespace tipstaff::policy::internal {
namespace {

// Each is compared with each other one, also where a run's pinned skills are loaded again: of more
// than so many permissions or rules nobody keeps the overview by hand, and nothing is said.
constexpr size_t kMaxCompared = 500;

std::vector<std::string> NamesOf(const ToolsByAlias& tools) {
  std::vector<std::string> names;
  for (const auto& [alias, offered] : tools) {
    for (const call::Tool& tool : offered) {
      names.push_back(call::FullName(tool.kind, alias, tool.name));
    }
  }
  return names;
}

// A pattern in which `*` stands for itself: what matches it as a text matches it as a pattern.
bool Covers(const DenyRule& wide, const DenyRule& narrow) {
  return wide.denies_all() && wide.Names(narrow.tool);
}

void LintCoveredRule(const CompiledSkill& skill, size_t i, Reader& reader) {
  const DenyRule& rule = skill.deny_[i];
  for (size_t j = 0; j < skill.deny_.size(); ++j) {
    const DenyRule& other = skill.deny_[j];
    if (i == j || !Covers(other, rule)) continue;
    // Of two that say the same the later one is needless.
    if (Covers(rule, other) && i < j) continue;
    reader.Warn(
        rule.target, kCoveredRule,
        absl::StrCat("the deny rule `", other.id, "` denies all that this one does"),
        absl::StrCat("`", call::WithoutKind(other.tool), "` in line ", reader.LineOf(other.node)));
    return;
  }
}

const DenyRule* FirstRuleAgainst(const CompiledSkill& skill, const std::string& tool) {
  for (const DenyRule& rule : skill.deny_) {
    if (rule.denies_all() && rule.Names(tool)) return &rule;
  }
  return nullptr;
}

}  // namespace

const call::Tool* FindTool(const ToolsByAlias& tools, const std::string& name) {
  const call::Kind kind = call::KindOf(name);
  const absl::string_view plain = call::WithoutKind(name);
  const size_t dot = plain.find('.');
  const auto offered = tools.find(std::string(plain.substr(0, dot)));
  if (dot == absl::string_view::npos || offered == tools.end()) return nullptr;
  for (const call::Tool& tool : offered->second) {
    if (tool.kind == kind && tool.name == plain.substr(dot + 1)) return &tool;
  }
  return nullptr;
}

void LintRules(const CompiledSkill& skill, const ToolsByAlias& tools, Reader& reader) {
  const std::vector<std::string> names = NamesOf(tools);
  for (size_t i = 0; i < skill.deny_.size(); ++i) {
    const DenyRule& rule = skill.deny_[i];
    const Reader::Within within(reader, absl::StrCat("in deny rule ", Shown(rule.id)));
    const bool matches = std::any_of(names.begin(), names.end(),
                                     [&rule](const std::string& name) { return rule.Names(name); });
    if (!matches) {
      const std::string near(call::WithoutKind(source::NearestName(rule.tool, names)));
      reader.Warn(
          rule.target, kIdleRule,
          absl::StrCat("no ", call::KindName(call::KindOf(rule.tool)),
                       " of the skill's backends matches `", call::WithoutKind(rule.tool), "`"),
          near.empty() ? "" : absl::StrCat("did you mean `", near, "`?"));
    }
    if (skill.deny_.size() <= kMaxCompared) LintCoveredRule(skill, i, reader);
  }
  std::map<std::string, const DenyRule*> against;  // the first rule against each tool
  for (const Permission& permission : skill.permissions_) {
    const auto [known, fresh] = against.try_emplace(permission.tool, nullptr);
    if (fresh) known->second = FirstRuleAgainst(skill, permission.tool);
    if (known->second == nullptr) continue;
    const DenyRule& rule = *known->second;
    const Reader::Within within(reader, absl::StrCat("in permission ", Shown(permission.id)));
    reader.Warn(
        permission.target, kAlwaysDenied,
        absl::StrCat("the deny rule `", rule.id, "` overrides this permission"),
        absl::StrCat("`", call::WithoutKind(rule.tool), "` in line ", reader.LineOf(rule.node)));
  }
}

void LintTests(const CompiledSkill& skill, Reader& reader) {
  const auto has = [&skill](call::Verdict verdict) {
    return std::any_of(skill.tests_.begin(), skill.tests_.end(),
                       [verdict](const SkillTest& test) { return test.expect.verdict == verdict; });
  };
  const json::Value root = skill.document_.root(), tests = root.Find("tests");
  const json::Value at = tests.exists() ? tests : root.Find("skill");
  if (skill.tests_.empty()) {
    return reader.WarnAtKey(at, kNoDenialTest, "the skill has no tests",
                            "add `tests:` with calls that are denied and calls that are allowed");
  }
  if (!has(call::Verdict::kDeny)) {
    reader.WarnAtKey(at, kNoDenialTest, "the skill has no test for a denial",
                     "add one with `expect: {decision: deny}`");
  }
  if (!has(call::Verdict::kAllow) && !has(call::Verdict::kHold) && !skill.permissions_.empty()) {
    reader.WarnAtKey(at, kNoAllowTest, "the skill has no test for a call that is allowed",
                     "add one with `expect: {decision: allow}`");
  }
}

void Loader::Lint() {
  LintReferences(*skill_, reader_);
  LintRules(*skill_, tools_, reader_);
  if (skill_->permissions_.size() <= kMaxCompared) {
    LintCovered(*skill_, reader_);
    LintUsable(*skill_, reader_);
  }
  for (const Permission& permission : skill_->permissions_) {
    const Reader::Within within(reader_, absl::StrCat("in permission ", Shown(permission.id)));
    const call::Tool* tool = FindTool(tools_, permission.tool);
    if (tool == nullptr || tool->kind == call::Kind::kResource) continue;
    LintArguments(permission, *tool, reader_);
    LintDefaults(*skill_, permission, *tool, reader_);
  }
  LintMarks();
  LintTests(*skill_, reader_);
}

}  // namespace tipstaff::policy::internal
