#include "mediator/policy/narrow.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "mediator/policy/published_json.h"
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
  for (const char* ours : {"type", "const", "enum"}) {
    if (key == ours) return Meeting::kOurs;
  }
  return Meeting::kBoth;
}

// Two schemas of one value.
class Merging {
 public:
  explicit Merging(json::Value tool) {
    for (const json::Member& member : tool.members()) {
      keywords_[std::string(member.key)] = Own(member.value);
      if (const int group = GroupOf(member.key); group >= 0) from_tool_[group] = true;
    }
  }

  void Add(json::Value permission) {
    std::map<std::string, json::Value> rest;
    for (const json::Member& member : permission.members()) {
      if (!TakeIn(std::string(member.key), member.value, permission)) {
        rest[std::string(member.key)] = member.value;
      }
    }
    if (rest.empty()) return;
    json::Builder builder(kMaxPublishedDepth);
    builder.StartObject();
    for (const auto& [key, value] : rest) builder.Field(key, value);
    builder.EndObject();
    AlsoHolds(Built(std::move(builder)).root());
  }

  // One more schema in `allOf`.
  void AlsoHolds(json::Value schema) {
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
  // False: it has to stand beside what is there.
  bool TakeIn(const std::string& key, json::Value ours, json::Value permission) {
    if (key == "const") keywords_.erase("enum");
    if (key == "enum") keywords_.erase("const");
    const auto there = keywords_.find(key);
    if (there == keywords_.end()) {
      if (const int group = GroupOf(key); group >= 0 && from_tool_[group]) return false;
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
    } else if (key == "additionalProperties" && ours.is_bool()) {
      there->second = Own(ours);
    } else if ((key == "items" || key == "additionalProperties") && theirs.is_object() &&
               !permission.Find("prefixItems").exists()) {
      there->second = Merged(theirs, ours);
    } else {
      return json::Equal(theirs, ours);
    }
    return true;
  }

  // Keywords that only together mean something: those of one schema must not meet the other's.
  static constexpr absl::string_view kGroups[][3] = {{"if", "then", "else"},
                                                     {"contains", "minContains", "maxContains"}};
  static int GroupOf(absl::string_view key) {
    for (int group = 0; group < 2; ++group) {
      for (const absl::string_view one : kGroups[group]) {
        if (one == key) return group;
      }
    }
    return -1;
  }

  static bool IsStricter(json::Value ours, json::Value theirs, bool less) {
    if (!ours.is_number() || !theirs.is_number()) return true;
    const int order = schema::Compare(ours, theirs);
    return less ? order < 0 : order > 0;
  }

  static json::Document Merged(json::Value theirs, json::Value ours) {
    if (!ours.is_object() || !theirs.is_object()) return Own(ours);
    Merging merging(theirs);
    merging.Add(ours);
    return std::move(merging).Take();
  }

  static json::Document JoinedProperties(json::Value theirs, json::Value ours,
                                         json::Value permission) {
    bool closed = false;
    for (const char* key : {"additionalProperties", "unevaluatedProperties"}) {
      const json::Value others = permission.Find(key);
      closed = closed || (others.is_bool() && !others.boolean());
    }
    std::map<std::string, json::Document> joined;
    for (const json::Member& member : theirs.members()) {
      if (!closed) joined[std::string(member.key)] = Own(member.value);
    }
    for (const json::Member& member : ours.members()) {
      const json::Value their_own = theirs.Find(member.key);
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

  bool from_tool_[2] = {};  // by group
  std::map<std::string, json::Document> keywords_;
};

json::Document AsResource(json::Value schema, json::Value definitions, const std::string& id) {
  json::Builder builder(kMaxPublishedDepth);
  builder.StartObject();
  if (!schema.Find("$id").exists()) builder.Field("$id", id);
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
  } else if (!home.is_part) {
    merging.AlsoHolds(AsResource(standard.schema.root(), {}, home.id).root());
  } else if (standard.refers_to_definitions) {
    const StandardSchema definitions = ToStandard(home.definitions, bound);
    merging.AlsoHolds(
        AsResource(standard.schema.root(), definitions.schema.root().Find("$defs"), home.id)
            .root());
  }  // what it refers to elsewhere is not published
  return std::move(merging).Take();
}

bool IsUnsatisfiable(json::Value permission, const BoundValues& bound) {
  if (permission.is_bool()) return !permission.boolean();
  for (const char* keyword : {"in", "email", "emailDomain"}) {
    const json::Value list = permission.Find(keyword);
    if (list.is_string() && ResolveList(list, bound).root().size() == 0) return true;
  }
  return permission.IntegerOr("minItems", 0) > 0 && permission.StringOr("type", "") == "array" &&
         permission.Find("items").exists() && !permission.Find("prefixItems").exists() &&
         IsUnsatisfiable(permission.Find("items"), bound);
}

}  // namespace tipstaff::policy::internal
