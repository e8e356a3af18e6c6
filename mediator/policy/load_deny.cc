#include <vector>

#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/glob.h"
#include "mediator/policy/loader.h"
#include "mediator/policy/schema_places.h"

namespace tipstaff::policy::internal {
namespace {

// Values that are no such text do not satisfy them, and a rule that asks for one lets them pass:
// `mail@EVIL.example (x)` is no address, whatever a mailer makes of it. `text` too, where it asks
// for anything: a line feed would hide the rest.
bool IsStrictlyRead(const json::Member& member) {
  const schema::Keyword keyword = KeywordOf(member.key);
  return schema::ReadsStrictly(keyword) ||
         (keyword == schema::Keyword::kText &&
          !(member.value.is_string() && member.value.string() == "any"));
}

// A value of another type than it is about satisfies it. What is read strictly asks for text
// itself.
bool IsAboutOneType(const json::Member& member) {
  const schema::Keyword keyword = KeywordOf(member.key);
  return !schema::ReadsStrictly(keyword) && schema::AppliesTo(keyword) != schema::kAnyType;
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
  for (const SchemaPlace& place : SchemasWithin(schema, "")) {
    if (place.schema.Find("$ref").exists() || place.schema.Find("$dynamicRef").exists())
      return true;
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
    json::Value schema;
    Way way;
  };
  const bool refers = HasReference(schema);
  std::vector<Open> open = {{schema, Way::kAsked}};
  while (!open.empty()) {
    const Open at = open.back();
    open.pop_back();
    for (const json::Member& member : at.schema.members()) {
      if (IsStrictlyRead(member) && (refers || at.way != Way::kRefused)) {
        reader_.ErrorAtKey(member.value, kSlipsPast,
                           absl::StrCat("a rule that asks for `", member.key,
                                        "` lets pass what cannot be read as one"),
                           absl::StrCat("deny what is not allowed: `not: {", member.key,
                                        refers ? ": ...}`, without `$ref`" : ": ...}`"));
      } else if (IsAboutOneType(member) && (refers || at.way != Way::kAsked) &&
                 !schema::SaysItsType(at.schema)) {
        reader_.ErrorAtKey(member.value, kSlipsPast,
                           absl::StrCat("without a `type` beside `", member.key,
                                        "` values of other types slip past the rule"),
                           "say the type that is allowed");
      } else {
        for (const json::Member& part : PartsOf(member)) {
          open.push_back({part.value, Below(at.way, at.schema, member.key)});
        }
      }
    }
  }
}

}  // namespace tipstaff::policy::internal
