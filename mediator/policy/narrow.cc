#include "mediator/policy/narrow.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "mediator/policy/published_json.h"
#include "mediator/policy/schema_places.h"
#include "mediator/schema/numbers.h"

namespace tipstaff::policy::internal {
namespace {

enum class Meeting { kLess, kMore, kOurs, kBoth };

// What becomes of a keyword that both schemas have.
Meeting Meet(absl::string_view key) {
  for (const char* most : {"maxLength", "maxItems", "maximum", "exclusiveMaximum"}) {
    if (key == most) return Meeting::kLess;
  }
  for (const char* least : {"minLength", "minItems", "minimum", "exclusiveMinimum"}) {
    if (key == least) return Meeting::kMore;
  }
  for (const char* ours : {"type", "const", "enum", "examples"}) {
    if (key == ours) return Meeting::kOurs;
  }
  return Meeting::kBoth;
}

// Keywords that only together mean something: those of one schema must not meet the other's.
enum Group { kCondition, kCounted, kMembers, kElements, kGroups };
constexpr absl::string_view kGroupKeywords[kGroups][4] = {
    {"if", "then", "else"},
    {"contains", "minContains", "maxContains"},
    {"properties", "patternProperties", "additionalProperties", "unevaluatedProperties"},
    {"prefixItems", "items", "unevaluatedItems"}};

int GroupOf(absl::string_view key) {
  for (int group = 0; group < kGroups; ++group) {
    for (const absl::string_view one : kGroupKeywords[group]) {
      if (one == key) return group;
    }
  }
  return kGroups;
}

bool AskedOfTheRest(json::Value schema) {
  return schema.Find("unevaluatedProperties").exists() || schema.Find("unevaluatedItems").exists();
}

bool IsFalse(json::Value value) { return value.is_bool() && !value.boolean(); }

// Whether the keywords of `group` are those that read well as one, and mean the same.
bool IsPlain(json::Value schema, int group) {
  if (group == kElements) {
    return !schema.Find("prefixItems").exists() && !schema.Find("unevaluatedItems").exists();
  }
  return group == kMembers && !schema.Find("patternProperties").exists() &&
         !schema.Find("additionalProperties").is_object() &&
         !schema.Find("unevaluatedProperties").is_object();
}

// Two schemas of one value.
class Merging {
 public:
  explicit Merging(json::Value tool) : tool_(tool) {
    for (const json::Member& member : tool.members()) {
      keywords_[std::string(member.key)] = Own(member.value);
    }
  }

  void Add(json::Value permission) {
    if (!MayMix(permission)) return AlsoHolds(permission);
    bool together[kGroups + 1];
    for (int group = 0; group <= kGroups; ++group) {
      together[group] = group == kGroups || !Has(tool_, group) || !Has(permission, group) ||
                        (IsPlain(tool_, group) && IsPlain(permission, group));
    }
    std::map<std::string, json::Value> rest;
    for (const json::Member& member : permission.members()) {
      const std::string key(member.key);
      if (!together[GroupOf(key)] || !TakeIn(key, member.value, permission)) {
        rest[key] = member.value;
      }
    }
    if (rest.empty()) return;
    json::Builder builder(kMaxPublishedDepth);
    builder.StartObject();
    for (const auto& [key, value] : rest) builder.Field(key, value);
    builder.EndObject();
    AlsoHolds(Built(std::move(builder)).root());
  }

  // One more schema in `allOf`. Not where it would count for what the tool refuses as unevaluated.
  void AlsoHolds(json::Value schema) {
    if (AskedOfTheRest(tool_)) return;
    json::Builder builder(kMaxPublishedDepth);
    builder.StartArray();
    const auto there = keywords_.find("allOf");
    if (there != keywords_.end()) {
      for (json::Value one : there->second.root().items()) builder.Copy(one);
    }
    builder.Copy(schema).EndArray();
    keywords_["allOf"] = Built(std::move(builder));
  }

  json::Document Take() && {
    json::Builder builder(kMaxPublishedDepth);
    builder.StartObject();
    for (const auto& [key, document] : keywords_) builder.Field(key, document.root());
    builder.EndObject();
    return Built(std::move(builder));
  }

 private:
  static bool Has(json::Value schema, int group) {
    for (const absl::string_view key : kGroupKeywords[group]) {
      if (!key.empty() && schema.Find(key).exists()) return true;
    }
    return false;
  }

  // Whether keywords of both may be in one object: none asks what others have evaluated, or none
  // of the others can have.
  bool MayMix(json::Value permission) const {
    if (!AskedOfTheRest(tool_) && !AskedOfTheRest(permission)) return true;
    if (permission.Find("unevaluatedItems").exists() || tool_.Find("unevaluatedItems").exists()) {
      return false;
    }
    for (const json::Value schema : {tool_, permission}) {
      if (!IsPlain(schema, kMembers)) return false;
      for (const json::Member& member : schema.members()) {
        if (schema::AppliesInPlace(KeywordOf(member.key))) return false;
      }
    }
    return true;
  }

  // False: it has to stand beside what is there.
  bool TakeIn(const std::string& key, json::Value ours, json::Value permission) {
    if (key == "const") keywords_.erase("enum");
    if (key == "enum") keywords_.erase("const");
    const auto there = keywords_.find(key);
    if (key == "properties" && RefusesOthers(tool_)) {
      keywords_[key] = JoinedProperties(tool_.Find(key), ours, permission);
      return true;
    }
    if (there == keywords_.end()) {
      keywords_[key] = Own(ours);
      return true;
    }
    const json::Value theirs = there->second.root();
    switch (Meet(key)) {
      case Meeting::kOurs:
        there->second = Own(ours);
        return true;
      case Meeting::kLess:
      case Meeting::kMore:
        if (IsStricter(ours, theirs, Meet(key) == Meeting::kLess)) there->second = Own(ours);
        return true;
      case Meeting::kBoth:
        break;
    }
    if (key == "properties") {
      there->second = JoinedProperties(theirs, ours, permission);
    } else if (key == "required") {
      there->second = JoinedNames(theirs, ours);
    } else if (GroupOf(key) == kMembers) {  // each open or closed
      if (IsFalse(ours)) there->second = Own(ours);
    } else if (key == "items") {
      there->second = Merged(theirs, ours);
    } else {
      return json::Equal(theirs, ours);
    }
    return true;
  }

  static bool IsStricter(json::Value ours, json::Value theirs, bool less) {
    if (!ours.is_number() || !theirs.is_number()) return true;
    const int order = schema::Compare(ours, theirs);
    return less ? order < 0 : order > 0;
  }

  static json::Document Merged(json::Value theirs, json::Value ours) {
    if (IsFalse(theirs)) return Own(theirs);
    if (!ours.is_object()) return IsFalse(ours) || !theirs.exists() ? Own(ours) : Own(theirs);
    if (!theirs.is_object()) return Own(ours);
    Merging merging(theirs);
    merging.Add(ours);
    return std::move(merging).Take();
  }

  // Those that neither schema refuses for not listing them.
  json::Document JoinedProperties(json::Value theirs, json::Value ours, json::Value permission) {
    std::map<std::string, json::Document> joined;
    for (const json::Member& member : theirs.members()) {
      if (!RefusesOthers(permission)) joined[std::string(member.key)] = Own(member.value);
    }
    for (const json::Member& member : ours.members()) {
      const json::Value their_own = theirs.Find(member.key);
      if (!their_own.exists() && RefusesOthers(tool_)) continue;
      joined[std::string(member.key)] =
          their_own.exists() ? Merged(their_own, member.value) : Own(member.value);
    }
    json::Builder builder(kMaxPublishedDepth);
    builder.StartObject();
    for (const auto& [key, document] : joined) builder.Field(key, document.root());
    builder.EndObject();
    return Built(std::move(builder));
  }

  static json::Document JoinedNames(json::Value theirs, json::Value ours) {
    std::set<std::string> names;
    for (const json::Value list : {theirs, ours}) {
      for (json::Value name : list.items()) {
        if (name.is_string()) names.emplace(name.string());
      }
    }
    json::Builder builder;
    builder.StartArray();
    for (const std::string& name : names) builder.String(name);
    builder.EndArray();
    return Built(std::move(builder));
  }

  json::Value tool_;
  std::map<std::string, json::Document> keywords_;
};

json::Document AsResource(json::Value schema, json::Value definitions, const std::string& id) {
  json::Builder builder(kMaxPublishedDepth);
  builder.StartObject();
  builder.Field("$id", id);
  if (definitions.is_object()) builder.Field("$defs", definitions);
  for (const json::Member& member : schema.members()) builder.Field(member.key, member.value);
  builder.EndObject();
  return Built(std::move(builder));
}

}  // namespace

json::Document Narrow(json::Value tool, json::Value permission, const BoundValues& bound,
                      const Home& home) {
  if (!permission.is_object()) return tool.exists() ? Own(tool) : Own(permission);
  const StandardSchema standard = ToStandard(permission, bound);
  Merging merging(tool);
  if (!standard.refers) {
    merging.Add(standard.schema.root());
  } else if (standard.refers_to_definitions) {
    const StandardSchema definitions =
        home.is_part ? ToStandard(home.definitions, bound) : StandardSchema();
    if (definitions.refers_to_definitions) {
      const json::Value defs = definitions.schema.root().Find("$defs");
      merging.AlsoHolds(AsResource(standard.schema.root(), defs, home.id).root());
    }
  }  // what it refers to elsewhere is not published
  return std::move(merging).Take();
}

namespace {

bool IsEmptyBinding(json::Value list, const BoundValues& bound) {
  return list.is_string() && ResolveList(list, bound).root().size() == 0;
}

// What is no text passes `email`, `emailDomain` and `url`.
bool IsOnlyText(json::Value tool, json::Value permission) {
  constexpr schema::Types kOthers = schema::kAnyType & ~schema::kStringType;
  return !schema::CanMeet(schema::TypesOf(tool) & kOthers, schema::TypesOf(permission) & kOthers);
}

bool LeavesNoText(json::Value permission, const BoundValues& bound) {
  if (IsEmptyBinding(permission.Find("email"), bound)) return true;
  if (IsEmptyBinding(permission.Find("emailDomain"), bound)) return true;
  for (const json::Member& list : permission.Find("url").members()) {
    if (IsEmptyBinding(list.value, bound)) return true;
  }
  return false;
}

}  // namespace

bool IsUnsatisfiable(json::Value tool, json::Value permission, const BoundValues& bound) {
  if (permission.is_bool()) return !permission.boolean();
  if (IsEmptyBinding(permission.Find("in"), bound)) return true;
  if (IsOnlyText(tool, permission) && LeavesNoText(permission, bound)) return true;
  return permission.IntegerOr("minItems", 0) > 0 && permission.StringOr("type", "") == "array" &&
         permission.Find("items").exists() && !permission.Find("prefixItems").exists() &&
         IsUnsatisfiable(tool.Find("items"), permission.Find("items"), bound);
}

}  // namespace tipstaff::policy::internal
