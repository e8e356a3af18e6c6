#include "mediator/policy/definitions.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "mediator/json/pointer.h"
#include "mediator/policy/published_json.h"

namespace tipstaff::policy::internal {
namespace {

constexpr absl::string_view kDefinitions[] = {"$defs", "definitions"};

bool IsOneOf(absl::string_view key, std::initializer_list<absl::string_view> keys) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

bool HoldDefinitions(absl::string_view key) { return IsOneOf(key, {"$defs", "definitions"}); }
// Values, whatever they look like.
bool HoldsNoSchema(absl::string_view key) {
  return IsOneOf(key, {"const", "enum", "default", "example", "examples"});
}
// What it holds has names of its own for keys.
bool HoldsNamed(absl::string_view key) {
  return HoldDefinitions(key) ||
         IsOneOf(key, {"properties", "patternProperties", "dependentSchemas", "dependencies"});
}

std::string ReferenceTo(absl::string_view where, absl::string_view name) {
  return absl::StrCat("#/", where, "/", json::PointerToken(name));
}

// What `schema` refers to, but for what its own definitions do; they are the same for every schema
// within it. Goes into words that it does not know, too: they may hold schemas.
std::set<std::string> ReferencesIn(json::Value schema) {
  struct Place {
    json::Value value;
    bool named;
  };
  std::set<std::string> references;
  std::vector<Place> open = {{schema, false}};
  while (!open.empty()) {
    const auto [at, named] = open.back();
    open.pop_back();
    for (json::Value item : at.items()) open.push_back({item, false});
    for (const json::Member& member : at.members()) {
      const bool own = at.index() == schema.index();
      if (!named && ((own && HoldDefinitions(member.key)) || HoldsNoSchema(member.key))) continue;
      if (!named && member.key == "$ref" && member.value.is_string()) {
        references.emplace(member.value.string());
      }
      open.push_back({member.value, !named && HoldsNamed(member.key)});
    }
  }
  return references;
}

// All that it refers to, on the way of definitions too.
std::set<std::string> AllReferences(json::Value schema) {
  std::set<std::string> all = ReferencesIn(schema);
  std::vector<std::string> open(all.begin(), all.end());
  while (!open.empty()) {
    const std::string to = std::move(open.back());
    open.pop_back();
    for (const absl::string_view where : kDefinitions) {
      for (const json::Member& one : schema.Find(where).members()) {
        if (ReferenceTo(where, one.key) != to) continue;
        for (const std::string& more : ReferencesIn(one.value)) {
          if (all.insert(more).second) open.push_back(more);
        }
      }
    }
  }
  return all;
}

}  // namespace

bool RefersToDefinitionsOnly(json::Value schema) {
  std::set<std::string> there;
  for (const absl::string_view where : kDefinitions) {
    for (const json::Member& one : schema.Find(where).members()) {
      there.insert(ReferenceTo(where, one.key));
    }
  }
  const std::set<std::string> all = AllReferences(schema);
  return std::includes(there.begin(), there.end(), all.begin(), all.end());
}

json::Document WithoutIdle(json::Value schema) {
  const std::set<std::string> needed = AllReferences(schema);
  json::Builder builder(kMaxPublishedDepth);
  builder.StartObject();
  for (const json::Member& member : schema.members()) {
    if (!HoldDefinitions(member.key)) {
      builder.Field(member.key, member.value);
      continue;
    }
    std::vector<json::Member> kept;
    for (const json::Member& one : member.value.members()) {
      if (needed.contains(ReferenceTo(member.key, one.key))) kept.push_back(one);
    }
    if (kept.empty()) continue;
    builder.Key(member.key).StartObject();
    for (const json::Member& one : kept) builder.Field(one.key, one.value);
    builder.EndObject();
  }
  builder.EndObject();
  return Built(std::move(builder));
}

}  // namespace tipstaff::policy::internal
