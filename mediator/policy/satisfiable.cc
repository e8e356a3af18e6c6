#include "mediator/policy/satisfiable.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "mediator/json/write.h"
#include "mediator/policy/reader.h"
#include "mediator/policy/schema_places.h"
#include "mediator/schema/references.h"

namespace tipstaff::policy::internal {
namespace {

using MaybeUnmet = std::optional<Unmet>;

MaybeUnmet NoneMeets(json::Value schema, json::Value taken);

// Whether the schema holds of every value of `types`. Recursion is as deep as a file nests, which
// its reader bounds; so it is below.
bool HoldsOfAll(json::Value schema, schema::Types types);

bool PartsHoldOfAll(const json::Member& keyword, schema::Types types) {
  const std::vector<json::Member> parts = PartsOf(keyword);
  return std::all_of(parts.begin(), parts.end(),
                     [&](const json::Member& part) { return HoldsOfAll(part.value, types); });
}

bool IsNought(json::Value value) { return value.is_number() && value.number() == 0; }

// A `type` alone is meant as it is written, though the tool takes no other: it may come to.
bool NamesAllTypes(json::Value schema, schema::Types types) {
  const auto members = schema.members();
  const auto constrain =
      std::count_if(members.begin(), members.end(),
                    [](const json::Member& member) { return !IsAnnotation(member.key); });
  return constrain > 1 && types != schema::kAnyType && (types & ~schema::TypesOf(schema)) == 0;
}

bool HoldsOfAll(const json::Member& keyword, json::Value schema, schema::Types types) {
  switch (KeywordOf(keyword.key)) {
    case schema::Keyword::kAnnotation:
    case schema::Keyword::kDefinitions:
    case schema::Keyword::kMinContains:
    case schema::Keyword::kMaxContains:
      return true;
    case schema::Keyword::kType:
      return NamesAllTypes(schema, types);
    case schema::Keyword::kMinBytes:
    case schema::Keyword::kMinItems:
    case schema::Keyword::kMinLength:
    case schema::Keyword::kMinProperties:
      return IsNought(keyword.value);
    case schema::Keyword::kRequired:
      return keyword.value.size() == 0;
    case schema::Keyword::kText:
      return keyword.value.is_string() && keyword.value.string() == "any";
    case schema::Keyword::kNot:
      return NoneMeets(keyword.value, json::Value()).has_value();
    case schema::Keyword::kContains:
      return IsNought(schema.Find("minContains")) && !schema.Find("maxContains").exists();
    case schema::Keyword::kAnyOf: {
      const auto branches = keyword.value.items();
      return std::any_of(branches.begin(), branches.end(),
                         [&](json::Value branch) { return HoldsOfAll(branch, types); });
    }
    case schema::Keyword::kAllOf:
    case schema::Keyword::kDependentSchemas:
      return PartsHoldOfAll(keyword, types);
    case schema::Keyword::kAdditionalProperties:
    case schema::Keyword::kItems:
    case schema::Keyword::kPatternProperties:
    case schema::Keyword::kPrefixItems:
    case schema::Keyword::kProperties:
    case schema::Keyword::kPropertyNames:
    case schema::Keyword::kUnevaluatedItems:
    case schema::Keyword::kUnevaluatedProperties:
      return PartsHoldOfAll(keyword, schema::kAnyType);
    default:
      return false;
  }
}

bool HoldsOfAll(json::Value schema, schema::Types types) {
  if (schema.is_bool()) return schema.boolean();
  const auto members = schema.members();
  return std::all_of(members.begin(), members.end(),
                     [&](const json::Member& one) { return HoldsOfAll(one, schema, types); });
}

MaybeUnmet WrongType(json::Value at, schema::Types here, schema::Types there) {
  return Unmet{at, false,
               absl::StrCat("it takes ", schema::TypesInWords(there),
                            " here, and the rule asks for ", schema::TypesInWords(here)),
               ""};
}

// The values that the schema lists, where they are all known: of `const`, `enum`, `equals`, `in`.
std::vector<json::Value> ListedValues(json::Value schema) {
  std::vector<json::Value> values;
  for (const char* keyword : {"const", "equals"}) {
    if (schema.Find(keyword).exists()) values = {schema.Find(keyword)};
  }
  for (const char* keyword : {"enum", "in"}) {
    if (schema.Find(keyword).size() == 0) continue;
    const auto items = schema.Find(keyword).items();
    values.assign(items.begin(), items.end());
  }
  const bool refers = std::any_of(values.begin(), values.end(), [](json::Value value) {
    return schema::ReadOperand(value).kind != schema::Operand::Kind::kLiteral;
  });
  return refers ? std::vector<json::Value>() : values;
}

bool IsAmong(json::Value value, json::Value choices) {
  const auto items = choices.items();
  return std::any_of(items.begin(), items.end(),
                     [value](json::Value choice) { return json::Equal(value, choice); });
}

MaybeUnmet OtherType(json::Value schema, json::Value taken) {
  const schema::Types here = schema::TypesOf(schema), there = schema::TypesOf(taken);
  if (!schema::CanMeet(here, there)) return WrongType(schema.Find("type"), here, there);
  const std::vector<json::Value> values = ListedValues(schema);
  if (values.empty()) return std::nullopt;
  const json::Value choices = taken.Find("enum");
  for (json::Value value : values) {
    if (choices.size() > 0 ? IsAmong(value, choices) : schema::IsOfType(value, there))
      return std::nullopt;
  }
  if (choices.size() > 0) {
    return Unmet{values.front(), false,
                 absl::StrCat("it takes only ", Shown(json::Dump(choices)), " here"), ""};
  }
  return Unmet{values.front(), false,
               absl::StrCat("it takes ", schema::TypesInWords(there), " here"), ""};
}

MaybeUnmet NoPartMeets(json::Value schema, json::Value taken) {
  const schema::Types types = schema::TypesOf(schema) & schema::TypesOf(taken);
  if (types == schema::kArrayType && schema.Find("contains").exists() &&
      !taken.Find("prefixItems").exists() && !IsNought(schema.Find("minContains"))) {
    return NoneMeets(schema.Find("contains"), taken.Find("items"));
  }
  if (types != schema::kObjectType) return std::nullopt;
  for (json::Value name : schema.Find("required").items()) {
    if (!name.is_string()) continue;
    if (MaybeUnmet unmet = NoneMeets(schema.Find("properties").Find(name.string()),
                                     taken.Find("properties").Find(name.string()))) {
      return unmet;
    }
  }
  return std::nullopt;
}

// Why no value that `taken` lets through satisfies `schema`.
MaybeUnmet NoneMeets(json::Value schema, json::Value taken) {
  if (schema.is_bool() && !schema.boolean())
    return Unmet{schema, false, "`false` holds of nothing", ""};
  if (MaybeUnmet unmet = OtherType(schema, taken)) return unmet;
  const json::Value turned = schema.Find("not");
  if (turned.exists() && HoldsOfAll(turned, schema::TypesOf(taken))) {
    return Unmet{turned, true, "what stands below `not` holds of all that it takes", ""};
  }
  for (json::Value part : schema.Find("allOf").items()) {
    if (MaybeUnmet unmet = NoneMeets(part, taken)) return unmet;
  }
  for (const char* keyword : {"anyOf", "oneOf"}) {
    MaybeUnmet first;
    for (json::Value branch : schema.Find(keyword).items()) {
      MaybeUnmet unmet = NoneMeets(branch, taken);
      if (!unmet.has_value()) {
        first.reset();
        break;
      }
      if (!first.has_value()) first = std::move(unmet);
    }
    if (first.has_value()) return first;
  }
  return NoPartMeets(schema, taken);
}

MaybeUnmet ForeignName(json::Value at, bool at_key, absl::string_view name, json::Value taken) {
  const json::Value known = taken.Find("properties");
  if (!ListsAllMembers(taken) || known.Find(name).exists()) return std::nullopt;
  std::vector<std::string> names;
  for (const json::Member& member : known.members()) names.emplace_back(member.key);
  return Unmet{at, at_key, absl::StrCat("it takes no ", Shown(name), " here"),
               Reader::Suggestion(name, names)};
}

MaybeUnmet ForeignMember(const json::Member& keyword, json::Value taken) {
  const bool names_keys = keyword.key == "properties" || keyword.key == "dependentSchemas" ||
                          keyword.key == "dependentRequired";
  for (const json::Member& member : keyword.value.members()) {
    if (!names_keys) break;
    if (MaybeUnmet unmet = ForeignName(member.value, true, member.key, taken)) return unmet;
  }
  if (keyword.key != "required") return std::nullopt;
  for (json::Value name : keyword.value.items()) {
    if (!name.is_string()) continue;
    if (MaybeUnmet unmet = ForeignName(name, false, name.string(), taken)) return unmet;
  }
  return std::nullopt;
}

struct Pair {
  json::Value schema, taken;
};

// What the tool says of what the keyword's part `name` is about.
json::Value TakenBelow(absl::string_view keyword, absl::string_view name, json::Value taken) {
  if (schema::AppliesInPlace(KeywordOf(keyword))) return taken;
  if (keyword == "properties") return taken.Find("properties").Find(name);
  const bool items = keyword == "items" || keyword == "contains";
  return items && !taken.Find("prefixItems").exists() ? taken.Find("items") : json::Value();
}

MaybeUnmet ForeignNames(json::Value schema, json::Value taken) {
  std::vector<Pair> open = {{schema, taken}};
  while (!open.empty()) {
    const Pair at = open.back();
    open.pop_back();
    for (const json::Member& member : at.schema.members()) {
      if (MaybeUnmet unmet = ForeignMember(member, at.taken)) return unmet;
      for (const json::Member& part : PartsOf(member)) {
        open.push_back({part.value, TakenBelow(member.key, part.key, at.taken)});
      }
    }
  }
  return std::nullopt;
}

MaybeUnmet OfArguments(json::Value args, json::Value taken) {
  const json::Value known = taken.Find("properties");
  for (const json::Member& argument : args.members()) {
    if (MaybeUnmet unmet = ForeignName(argument.value, true, argument.key, taken)) return unmet;
    const json::Value here = known.Find(argument.key);
    if (MaybeUnmet unmet = ForeignNames(argument.value, here)) return unmet;
    if (argument.value.BoolOr("optional", false)) continue;
    if (MaybeUnmet unmet = NoneMeets(argument.value, here)) return unmet;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Unmet> WhyUnmet(json::Value node, json::Value taken) {
  if (node.Find("args").exists()) return OfArguments(node.Find("args"), taken);
  if (node.Find("uri").exists())
    return NoneMeets(node.Find("uri"), taken.Find("properties").Find("uri"));
  const json::Value schema = node.Find("schema");
  if (!schema.exists()) return std::nullopt;
  if (MaybeUnmet unmet = ForeignNames(schema, taken)) return unmet;
  return NoneMeets(schema, taken);
}

}  // namespace tipstaff::policy::internal
