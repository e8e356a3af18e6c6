#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/glob.h"
#include "mediator/policy/loader.h"

namespace tipstaff::policy::internal {

void Loader::ReadDeny() {
  for (json::Value node : reader_.List(root(), "deny").items()) ReadDenyRule(node);
}

void Loader::ReadDenyRule(json::Value node) {
  const absl::string_view id = node.StringOr("id", "");
  const Reader::Within within(
      reader_, id.empty() ? "in a deny rule" : absl::StrCat("in deny rule ", Shown(id)));
  if (!reader_.CheckMapping(
          node, "a deny rule",
          {"id", "tool", "resource", "prompt", "reason", "args", "schema", "uri"})) {
    return;
  }
  DenyRule rule{.node = node};
  rule.id = reader_.RequireName(node, "id", "a deny rule").value_or("");
  if (const std::optional<Target> target = ReadTargetOf(node, "a deny rule")) {
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

}  // namespace tipstaff::policy::internal
