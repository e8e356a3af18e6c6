#include <vector>

#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/glob.h"
#include "mediator/policy/loader.h"

namespace tipstaff::policy::internal {
namespace {

// Values that are no such text do not satisfy them, and a rule that asks for one lets them pass:
// `mail@EVIL.example (x)` is no address, whatever a mailer makes of it.
// `text` too, where it asks for anything: a line feed would hide the rest.
bool IsStrictlyRead(const json::Member& keyword) {
  for (const char* one : {"email", "emailDomain", "format", "path", "plain", "url"}) {
    if (keyword.key == one) return true;
  }
  return keyword.key == "text" && !(keyword.value.is_string() && keyword.value.string() == "any");
}

// Its members are names, each with a schema.
bool HoldsNames(absl::string_view keyword) {
  return keyword == "properties" || keyword == "patternProperties" || keyword == "$defs" ||
         keyword == "dependentSchemas";
}

bool HoldsLiterals(absl::string_view keyword) {
  return keyword == "const" || keyword == "enum" || keyword == "equals" || keyword == "in" ||
         keyword == "examples" || keyword == "default" || keyword == "dependentRequired" ||
         keyword == "required";
}

// A value of another type than it is about satisfies it.
bool IsAboutOneType(absl::string_view keyword) {
  for (const char* one : {"minLength",
                          "maxLength",
                          "minBytes",
                          "maxBytes",
                          "pattern",
                          "minimum",
                          "maximum",
                          "exclusiveMinimum",
                          "exclusiveMaximum",
                          "multipleOf",
                          "items",
                          "prefixItems",
                          "contains",
                          "minItems",
                          "maxItems",
                          "uniqueItems",
                          "unevaluatedItems",
                          "properties",
                          "required",
                          "additionalProperties",
                          "patternProperties",
                          "propertyNames",
                          "minProperties",
                          "maxProperties",
                          "dependentRequired",
                          "dependentSchemas",
                          "unevaluatedProperties"}) {
    if (keyword == one) return true;
  }
  return false;
}

bool SaysItsType(json::Value schema) {
  for (const char* one : {"type", "const", "enum", "equals", "in"}) {
    if (schema.Find(one).exists()) return true;
  }
  return false;
}

// Whether a value has to satisfy a schema, or must not, for the rule to deny it.
enum class Way { kAsked, kRefused, kEither };

Way Below(Way way, json::Value schema, absl::string_view keyword) {
  if (keyword == "if" || keyword == "oneOf") return Way::kEither;
  if (keyword == "contains" && schema.Find("maxContains").exists()) return Way::kEither;
  if (keyword != "not" || way == Way::kEither) return way;
  return way == Way::kAsked ? Way::kRefused : Way::kAsked;
}

bool HasReference(json::Value schema) {
  std::vector<json::Value> open = {schema};
  while (!open.empty()) {
    const json::Value at = open.back();
    open.pop_back();
    for (json::Value item : at.items()) open.push_back(item);
    for (const json::Member& member : at.members()) {
      const bool reference = member.key == "$ref" || member.key == "$dynamicRef";
      if (reference && member.value.is_string()) return true;
      open.push_back(member.value);
    }
  }
  return false;
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

// `not` turns it round: what is no address of these domains is denied. What `if` and `oneOf` ask
// for, and `contains` with `maxContains`, may turn either way, and so may what a reference leads
// to.
void Loader::CheckNothingSlipsPast(json::Value schema) {
  struct Open {
    json::Value value;
    bool is_schema;
    Way way;
  };
  const bool refers = HasReference(schema);
  std::vector<Open> open = {{schema, true, Way::kAsked}};
  while (!open.empty()) {
    const Open at = open.back();
    open.pop_back();
    for (json::Value item : at.value.items()) open.push_back({item, true, at.way});
    for (const json::Member& member : at.value.members()) {
      if (!at.is_schema) {
        open.push_back({member.value, true, at.way});
        continue;
      }
      if (IsStrictlyRead(member) && (refers || at.way != Way::kRefused)) {
        reader_.ErrorAtKey(member.value, kSlipsPast,
                           absl::StrCat("a rule that asks for `", member.key,
                                        "` lets pass what cannot be read as one"),
                           absl::StrCat("deny what is not allowed: `not: {", member.key,
                                        refers ? ": ...}`, without `$ref`" : ": ...}`"));
        continue;
      }
      if (IsAboutOneType(member.key) && (refers || at.way != Way::kAsked) &&
          !SaysItsType(at.value)) {
        reader_.ErrorAtKey(member.value, kSlipsPast,
                           absl::StrCat("without a `type` beside `", member.key,
                                        "` values of other types slip past the rule"),
                           "say the type that is allowed");
        continue;
      }
      if (HoldsLiterals(member.key)) continue;
      open.push_back({member.value, !HoldsNames(member.key), Below(at.way, at.value, member.key)});
    }
  }
}

}  // namespace tipstaff::policy::internal
