#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/glob.h"
#include "mediator/policy/loader.h"

namespace tipstaff::policy::internal {
namespace {

// Values that are no such text do not satisfy them, and a rule that asks for one lets them pass:
// `mail@EVIL.example (x)` is no address, whatever a mailer makes of it.
constexpr absl::string_view kStrictlyRead[] = {"email", "emailDomain", "format",
                                               "path",  "plain",       "url"};

bool IsStrictlyRead(absl::string_view keyword) {
  return std::find(std::begin(kStrictlyRead), std::end(kStrictlyRead), keyword) !=
         std::end(kStrictlyRead);
}

// Its members are names, each with a schema.
bool HoldsNames(absl::string_view keyword) {
  return keyword == "properties" || keyword == "patternProperties" || keyword == "$defs" ||
         keyword == "dependentSchemas";
}

bool HoldsLiterals(absl::string_view keyword) {
  return keyword == "const" || keyword == "enum" || keyword == "equals" || keyword == "in" ||
         keyword == "examples" || keyword == "default";
}

}  // namespace

void Loader::ReadDeny() {
  for (json::Value node : reader_.List(root(), "deny").items()) ReadDenyRule(node);
}

void Loader::ReadDenyRule(json::Value node) {
  const absl::string_view id = node.StringOr("id", "");
  const Reader::Within within(
      reader_, id.empty() ? "in a deny rule" : absl::StrCat("in deny rule ", Shown(id)));
  if (!reader_.CheckMapping(node, "a deny rule", {"id", "tool", "reason", "args", "schema"})) {
    return;
  }
  DenyRule rule{.node = node};
  rule.id = reader_.RequireName(node, "id", "a deny rule").value_or("");
  rule.tool = reader_.RequireText(node, "tool", "a deny rule").value_or("");
  rule.reason = reader_.RequireText(node, "reason", "a deny rule").value_or("");
  if (!rule.tool.empty() && !IsGlob(rule.tool)) {
    reader_.Error(node.Find("tool"), kBadGlob,
                  absl::StrCat(Shown(rule.tool),
                               " is no pattern of tools: use letters, digits, "
                               "`_`, `.`, `-`, and `*` for any characters"));
  }
  for (const DenyRule& other : skill_->deny_) {
    if (!rule.id.empty() && other.id == rule.id) {
      reader_.Error(node.Find("id"), kDuplicate,
                    absl::StrCat("the id `", rule.id, "` is used twice"),
                    absl::StrCat("first used in line ", reader_.LineOf(other.node)));
    }
  }
  rule.program = CompileArguments(node, /*denies=*/true);
  for (const json::Member& member : node.Find("args").members()) {
    CheckNothingSlipsPast(member.value);
  }
  CheckNothingSlipsPast(node.Find("schema"));
  skill_->deny_.push_back(std::move(rule));
}

// `not` turns it round: what is no address of these domains is denied.
void Loader::CheckNothingSlipsPast(json::Value schema) {
  struct Open {
    json::Value value;
    bool is_schema, negated;
  };
  std::vector<Open> open = {{schema, true, false}};
  while (!open.empty()) {
    const Open at = open.back();
    open.pop_back();
    for (json::Value item : at.value.items()) open.push_back({item, true, at.negated});
    for (const json::Member& member : at.value.members()) {
      if (at.is_schema && !at.negated && IsStrictlyRead(member.key)) {
        reader_.ErrorAtKey(
            member.value, kSlipsPast,
            absl::StrCat("a rule that asks for `", member.key,
                         "` lets pass what cannot be read as one"),
            absl::StrCat("deny what is not allowed: `not: {", member.key, ": ...}`"));
        continue;
      }
      const bool names = at.is_schema && HoldsNames(member.key);
      if (!member.value.is_object() && !member.value.is_array()) continue;
      if (at.is_schema && HoldsLiterals(member.key)) continue;
      // What `oneOf` and `if` ask for may turn either way.
      const bool either = at.is_schema && (member.key == "oneOf" || member.key == "if");
      const bool turns = at.is_schema && member.key == "not";
      open.push_back({member.value, !names, !either && at.negated != turns});
    }
  }
}

}  // namespace tipstaff::policy::internal
