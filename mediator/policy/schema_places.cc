#include "mediator/policy/schema_places.h"

#include "absl/strings/str_cat.h"
#include "mediator/json/pointer.h"

namespace tipstaff::policy::internal {
namespace {

bool IsForItems(absl::string_view keyword) {
  return keyword == "items" || keyword == "contains" || keyword == "prefixItems" ||
         keyword == "unevaluatedItems";
}

bool IsForMembers(absl::string_view keyword) {
  return keyword == "additionalProperties" || keyword == "patternProperties" ||
         keyword == "unevaluatedProperties";
}

std::string Within(const std::string& argument, absl::string_view keyword, absl::string_view name) {
  if (keyword == "properties") return absl::StrCat(argument, "/", json::PointerToken(name));
  return IsForItems(keyword) || IsForMembers(keyword) ? absl::StrCat(argument, "/*") : argument;
}

}  // namespace

schema::Keyword KeywordOf(absl::string_view word) {
  return schema::FindKeyword(word, {.dialect = schema::Dialect::kSkill});
}

bool IsAnnotation(absl::string_view word) {
  return word == "optional" || KeywordOf(word) == schema::Keyword::kAnnotation;
}

bool RefusesOthers(json::Value schema) {
  for (const char* keyword : {"additionalProperties", "unevaluatedProperties"}) {
    const json::Value others = schema.Find(keyword);
    if (others.is_bool() && !others.boolean()) return true;
  }
  return false;
}

bool MayListElsewhere(json::Value schema) {
  for (const char* keyword : {"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if",
                              "dependentSchemas", "patternProperties"}) {
    if (schema.Find(keyword).exists()) return true;
  }
  return false;
}

bool ListsAllMembers(json::Value schema) {
  for (const char* keyword : {"additionalProperties", "unevaluatedProperties"}) {
    const json::Value others = schema.Find(keyword);
    if (others.exists() && !(others.is_bool() && !others.boolean()))
      return false;  // said to be open
  }
  return !MayListElsewhere(schema) &&
         (schema.Find("properties").size() > 0 || !schema.BoolOr("additionalProperties", true));
}

std::vector<json::Member> PartsOf(const json::Member& keyword) {
  std::vector<json::Member> parts;
  switch (schema::WhatItHolds(KeywordOf(keyword.key))) {
    case schema::Holds::kNothing:
      break;
    case schema::Holds::kSchema:
    case schema::Holds::kSchemaOrSchemas:
      parts.push_back({"", keyword.value});
      break;
    case schema::Holds::kSchemas:
      for (json::Value item : keyword.value.items()) parts.push_back({"", item});
      break;
    case schema::Holds::kNamedSchemas:
      for (const json::Member& named : keyword.value.members()) parts.push_back(named);
  }
  return parts;
}

std::vector<SchemaPlace> SchemasWithin(json::Value schema, std::string argument) {
  std::vector<SchemaPlace> places;
  std::vector<SchemaPlace> open = {{schema, std::move(argument)}};
  while (!open.empty()) {
    const SchemaPlace place = std::move(open.back());
    open.pop_back();
    std::vector<SchemaPlace> parts;
    for (const json::Member& member : place.schema.members()) {
      const bool asks = member.key == "not" || member.key == "if" || member.key == "contains";
      for (const json::Member& part : PartsOf(member)) {
        parts.push_back({part.value, Within(place.argument, member.key, part.key),
                         place.judged && !asks, place.defined || member.key == "$defs"});
      }
    }
    open.insert(open.end(), parts.rbegin(), parts.rend());
    places.push_back(place);
  }
  return places;
}

std::vector<SchemaPlace> SchemasOf(json::Value node) {
  std::vector<SchemaPlace> places;
  for (const json::Member& member : node.Find("args").members()) {
    const auto more =
        SchemasWithin(member.value, absl::StrCat("/", json::PointerToken(member.key)));
    places.insert(places.end(), more.begin(), more.end());
  }
  if (const json::Value uri = node.Find("uri"); uri.exists()) {
    const auto more = SchemasWithin(uri, "/uri");
    places.insert(places.end(), more.begin(), more.end());
  }
  if (const json::Value schema = node.Find("schema"); schema.exists()) {
    const auto more = SchemasWithin(schema, "");
    places.insert(places.end(), more.begin(), more.end());
  }
  return places;
}

}  // namespace tipstaff::policy::internal
