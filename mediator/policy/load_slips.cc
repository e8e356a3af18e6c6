// What slips past a rule that forbids: a deny rule, and `not` in a permission.
//
// A value that is no address fails `emailDomain`, whatever a mailer makes of `mail@EVIL.example
// (x)`, and one of another type than a keyword is about satisfies it. Both are safe where a schema
// says what is allowed, and a hole where it says what is not. A deny rule with a hole is refused.
#include <vector>

#include "absl/strings/str_cat.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/loader.h"
#include "mediator/policy/schema_places.h"

namespace tipstaff::policy::internal {
namespace {

// Whether a value has to satisfy a schema, or must not, to satisfy the one around all of them.
enum class Way { kAsked, kRefused, kEither };

Way Below(Way way, json::Value schema, absl::string_view keyword) {
  if (keyword == "if" || keyword == "oneOf") return Way::kEither;
  if (keyword == "contains" && schema.Find("maxContains").exists()) return Way::kEither;
  if (keyword != "not" || way == Way::kEither) return way;
  return way == Way::kAsked ? Way::kRefused : Way::kAsked;
}

struct Place {
  json::Value schema;
  Way way = Way::kAsked;
  schema::Types types = schema::kAnyType;  // that the schemas around it let through
};

bool IsStrictlyRead(const json::Member& member) {
  return schema::ReadsStrictly(KeywordOf(member.key));
}

bool IsAboutOneType(const json::Member& member) {
  return schema::AppliesTo(KeywordOf(member.key)) != schema::kAnyType;
}

// Holds only where all items or members satisfy it: with one more that does not, nothing is denied.
bool AsksOfAll(const json::Member& member) {
  switch (KeywordOf(member.key)) {
    case schema::Keyword::kItems:
    case schema::Keyword::kUnevaluatedItems:
    case schema::Keyword::kAdditionalProperties:
    case schema::Keyword::kPatternProperties:
    case schema::Keyword::kPropertyNames:
    case schema::Keyword::kUnevaluatedProperties:
      return !(member.value.is_bool() && member.value.boolean());
    default:
      return false;
  }
}

bool IsOfItems(const json::Member& member) {
  return KeywordOf(member.key) == schema::Keyword::kItems ||
         KeywordOf(member.key) == schema::Keyword::kUnevaluatedItems;
}

std::string HelpForOfAll(const json::Member& member) {
  if (member.value.is_bool()) return "leave it out: a rule looks at nothing but what it lists";
  return IsOfItems(member) ? "`contains` asks for one"
                           : "deny what is not allowed: one `not` around it";
}

bool AsksForLines(const json::Member& member) {
  return KeywordOf(member.key) == schema::Keyword::kText &&
         !(member.value.is_string() && member.value.string() == "any");
}

// The types that the value may be of; none is left open where the values are listed.
schema::Types TypesAt(const Place& at) {
  const bool listed = schema::SaysItsType(at.schema) && !at.schema.Find("type").exists();
  return listed ? schema::Types{0}
                : static_cast<schema::Types>(at.types & schema::TypesOf(at.schema));
}

// Whether values of a type pass that none of the schema's keywords is about, though some are about
// others. null and booleans that `type` lists are meant.
bool LeavesTypesOpen(json::Value schema, schema::Types types) {
  schema::Types about = 0;
  for (const json::Member& member : schema.members()) {
    if (IsStrictlyRead(member)) return false;  // in a deny rule it asks for text itself
    if (IsAboutOneType(member)) about |= schema::AppliesTo(KeywordOf(member.key));
  }
  constexpr schema::Types kMeant = schema::kNullType | schema::kBooleanType;
  if (types != schema::kAnyType) types &= ~kMeant;
  return about != 0 && (types & ~about) != 0;
}

void AddParts(const Place& at, schema::Types types, const json::Member& member,
              std::vector<Place>& open) {
  for (const json::Member& part : PartsOf(member)) {
    open.push_back({part.value, Below(at.way, at.schema, member.key),
                    schema::AppliesInPlace(KeywordOf(member.key)) ? types : schema::kAnyType});
  }
}

// What references lead to may stand in another argument, by its `$id`.
bool HasReference(json::Value rule) {
  for (const SchemaPlace& place : SchemasOf(rule)) {
    if (place.schema.Find("$ref").exists() || place.schema.Find("$dynamicRef").exists())
      return true;
  }
  return false;
}

std::vector<Place> RootsOf(json::Value node) {
  std::vector<Place> roots;
  for (const json::Member& member : node.Find("args").members()) roots.push_back({member.value});
  if (node.Find("schema").exists()) roots.push_back({node.Find("schema")});
  const json::Value uri = node.Find("uri");
  if (uri.exists()) roots.push_back({uri, Way::kAsked, schema::kStringType});
  return roots;
}

std::string HelpFor(absl::string_view keyword, Way way, bool refers) {
  if (refers) return "write out what `$ref` leads to";
  if (way == Way::kEither) return "`if`, `oneOf` and `maxContains` may turn the rule: do without";
  return absl::StrCat("deny what is not allowed: one `not` around `", keyword, "`");
}

}  // namespace

void Loader::CheckNothingSlipsPast(json::Value rule) {
  const bool refers = HasReference(rule);
  std::vector<Place> open = RootsOf(rule);
  while (!open.empty()) {
    const Place at = open.back();
    open.pop_back();
    const schema::Types types = TypesAt(at);
    const bool leaves_open = (refers || at.way != Way::kAsked) && LeavesTypesOpen(at.schema, types);
    for (const json::Member& member : at.schema.members()) {
      if (AsksForLines(member)) {
        // Of parts that have schemas of their own it would say nothing.
        reader_.ErrorAtKey(member.value, kSlipsPast, "a deny rule does not ask for `text`",
                           "a `pattern` finds characters");
      } else if (IsStrictlyRead(member) && (refers || at.way != Way::kRefused)) {
        reader_.ErrorAtKey(member.value, kSlipsPast,
                           absl::StrCat("a rule that asks for `", member.key,
                                        "` lets pass what cannot be read as one"),
                           HelpFor(member.key, at.way, refers));
      } else if (AsksOfAll(member) && (refers || at.way != Way::kRefused)) {
        reader_.ErrorAtKey(member.value, kSlipsPast,
                           absl::StrCat("one ", IsOfItems(member) ? "item" : "member", " that `",
                                        member.key, "` does not hold of lets the rest pass"),
                           HelpForOfAll(member));
      } else if (leaves_open && IsAboutOneType(member)) {
        reader_.ErrorAtKey(
            member.value, kSlipsPast,
            absl::StrCat("values of types that `", member.key, "` is not about slip past the rule"),
            refers ? HelpFor("", at.way, refers) : "say the one `type` that is allowed");
      } else {
        AddParts(at, types, member, open);
      }
    }
  }
}

void Loader::WarnOfWhatSlipsPast(json::Value permission) {
  std::vector<Place> open = RootsOf(permission);
  while (!open.empty()) {
    const Place at = open.back();
    open.pop_back();
    for (const json::Member& member : at.schema.members()) {
      if (IsStrictlyRead(member) && at.way != Way::kAsked) {
        reader_.WarnAtKey(
            member.value, kSlipsPast,
            absl::StrCat("`not` of `", member.key, "` lets pass what cannot be read as one"),
            "say what is allowed, not what is not");
      } else {
        AddParts(at, schema::kAnyType, member, open);
      }
    }
  }
}

}  // namespace tipstaff::policy::internal
