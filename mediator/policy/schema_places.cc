#include "mediator/policy/schema_places.h"

#include "absl/strings/str_cat.h"

namespace tipstaff::policy::internal {
namespace {

struct Word {
  absl::string_view keyword;
  Holds holds;
};

constexpr Word kWords[] = {
    {"$defs", Holds::kMapping},
    {"additionalProperties", Holds::kSchema},
    {"allOf", Holds::kList},
    {"anyOf", Holds::kList},
    {"contains", Holds::kSchema},
    {"dependentSchemas", Holds::kMapping},
    {"else", Holds::kSchema},
    {"if", Holds::kSchema},
    {"items", Holds::kSchema},
    {"not", Holds::kSchema},
    {"oneOf", Holds::kList},
    {"patternProperties", Holds::kMapping},
    {"prefixItems", Holds::kList},
    {"properties", Holds::kMapping},
    {"propertyNames", Holds::kSchema},
    {"then", Holds::kSchema},
    {"unevaluatedItems", Holds::kSchema},
    {"unevaluatedProperties", Holds::kSchema},
};

bool IsForItems(absl::string_view keyword) {
  return keyword == "items" || keyword == "contains" || keyword == "prefixItems" ||
         keyword == "unevaluatedItems";
}

bool IsForMembers(absl::string_view keyword) {
  return keyword == "additionalProperties" || keyword == "patternProperties" ||
         keyword == "propertyNames" || keyword == "unevaluatedProperties";
}

std::string Within(const std::string& argument, absl::string_view keyword, absl::string_view name) {
  if (keyword == "properties") return absl::StrCat(argument, "/", name);
  return IsForItems(keyword) || IsForMembers(keyword) ? absl::StrCat(argument, "/*") : argument;
}

}  // namespace

Holds WhatItHolds(absl::string_view keyword) {
  for (const Word& word : kWords) {
    if (word.keyword == keyword) return word.holds;
  }
  return Holds::kNoSchema;
}

std::vector<SchemaPlace> SchemasWithin(json::Value schema, std::string argument) {
  std::vector<SchemaPlace> places;
  std::vector<SchemaPlace> open = {{schema, std::move(argument)}};
  while (!open.empty()) {
    const SchemaPlace place = std::move(open.back());
    open.pop_back();
    std::vector<SchemaPlace> parts;
    for (const json::Member& member : place.schema.members()) {
      const Holds holds = WhatItHolds(member.key);
      if (holds == Holds::kSchema) {
        const bool asks = member.key == "not" || member.key == "if" || member.key == "contains";
        parts.push_back(
            {member.value, Within(place.argument, member.key, ""), place.judged && !asks});
      }
      if (holds == Holds::kList) {
        for (json::Value item : member.value.items()) {
          parts.push_back({item, Within(place.argument, member.key, ""), place.judged});
        }
      }
      if (holds != Holds::kMapping) continue;
      for (const json::Member& part : member.value.members()) {
        parts.push_back({part.value, Within(place.argument, member.key, part.key), place.judged});
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
    const auto more = SchemasWithin(member.value, absl::StrCat("/", member.key));
    places.insert(places.end(), more.begin(), more.end());
  }
  if (const json::Value schema = node.Find("schema"); schema.exists()) {
    const auto more = SchemasWithin(schema, "");
    places.insert(places.end(), more.begin(), more.end());
  }
  return places;
}

}  // namespace tipstaff::policy::internal
