#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/glob.h"
#include "mediator/policy/lint.h"
#include "mediator/policy/loader.h"

namespace tipstaff::policy::internal {
namespace {

std::vector<const call::Tool*> NamedBy(const DenyRule& rule, const ToolsByAlias& tools) {
  std::vector<const call::Tool*> named;
  for (const auto& [alias, offered] : tools) {
    for (const call::Tool& tool : offered) {
      if (rule.Names(call::FullName(tool.kind, alias, tool.name))) named.push_back(&tool);
    }
  }
  return named;
}

// Whether it may also be about backends of other skills, whose tools are not known here.
bool ReachesFurther(const DenyRule& rule) {
  const absl::string_view pattern = call::WithoutKind(rule.tool);
  return pattern.substr(0, pattern.find('.')).find('*') != absl::string_view::npos;
}

}  // namespace

void Loader::ReadDeny() {
  for (json::Value node : reader_.List(root(), "deny").items()) ReadDenyRule(node);
}

void Loader::ReadDenyRule(json::Value node) {
  const absl::string_view id = node.StringOr("id", "");
  const Reader::Within within(
      reader_, id.empty() ? "in a deny rule" : absl::StrCat("in deny rule ", Shown(id)));
  if (!reader_.CheckMapping(
          node, "a deny rule",
          {"id", "tool", "resource", "prompt", "completion", "reason", "args", "schema", "uri"})) {
    return;
  }
  DenyRule rule{.node = node};
  rule.id = reader_.RequireName(node, "id", "a deny rule").value_or("");
  const std::optional<Target> target =
      SaysTarget(node, "a deny rule") ? ReadTargetOf(node, "a deny rule") : std::nullopt;
  if (target.has_value()) {
    if (!IsGlob(target->text)) {
      reader_.Error(
          target->at, kBadGlob,
          absl::StrCat(Shown(target->text), " is no pattern of ", call::KindName(target->kind),
                       "s: use letters, digits, `_`, `.`, `-`, and `*` for any "
                       "characters"));
    }
    rule.target = target->at;
    rule.tool = call::FullName(target->kind, target->text);
  }
  rule.reason = reader_.RequireText(node, "reason", "a deny rule").value_or("");
  for (const DenyRule& other : skill_->deny_) {
    if (!rule.id.empty() && other.id == rule.id) {
      reader_.Error(node.Find("id"), kDuplicate,
                    absl::StrCat("the id `", rule.id, "` is used twice"),
                    absl::StrCat("first used in line ", reader_.LineOf(other.node)));
    }
  }
  rule.program = CompileArguments(node, /*denies=*/true);
  CheckNothingSlipsPast(node);
  RefuseSensitive(SchemasOf(node), "`sensitive` says nothing in a deny rule");
  skill_->deny_.push_back(std::move(rule));
}

// Of a skill without an error: each has one cause, and is said once.
void Loader::CheckDenyRules() {
  if (reader_.failed()) return;
  for (const DenyRule& rule : skill_->deny_) {
    const Reader::Within within(reader_, absl::StrCat("in deny rule ", Shown(rule.id)));
    CheckCanDeny(rule);
  }
}

void Loader::CheckCanDeny(const DenyRule& rule) {
  if (const auto unmet = WhyUnmet(rule.node, json::Value())) {
    return Report(*unmet, /*warns=*/false,
                  absl::StrCat("nothing meets the rule: ", unmet->message));
  }
  std::optional<Unmet> first;
  for (const call::Tool* tool : NamedBy(rule, tools_)) {
    std::optional<Unmet> unmet = WhyUnmet(rule.node, tool->input_schema.root());
    if (!unmet.has_value()) return;
    // The tool that is meant is rather one of which a name was misspelt.
    if (!first.has_value() || (first->help.empty() && !unmet->help.empty())) first = unmet;
  }
  if (!first.has_value()) return;
  Report(*first, ReachesFurther(rule),
         absl::StrCat("no call of `", call::WithoutKind(rule.tool),
                      "` meets the rule: ", first->message));
}

void Loader::Report(const Unmet& unmet, bool warns, std::string message) {
  const auto say = warns ? (unmet.at_key ? &Reader::WarnAtKey : &Reader::Warn)
                         : (unmet.at_key ? &Reader::ErrorAtKey : &Reader::Error);
  (reader_.*say)(unmet.at, kIdleSchema, std::move(message), unmet.help);
}

}  // namespace tipstaff::policy::internal
