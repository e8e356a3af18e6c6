#include "mediator/schema/defaults.h"

#include <vector>

#include "absl/strings/match.h"
#include "mediator/base/status.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/pointer.h"

namespace tipstaff::schema {
namespace {

// Copies arguments and adds what a schema has for them. Recursion is as deep as arguments nest.
class Filling {
 public:
  Filling(json::Value root, json::Builder& builder) : root_(root), builder_(builder) {}

  // Whether anything was added.
  bool Fill(json::Value given, json::Value schema, int depth) {
    schema = Resolve(schema);
    if (!given.is_object() || depth > json::kMaxDepth) {
      builder_.Copy(given);
      return false;
    }
    bool added = false;
    const json::Value properties = schema.Find("properties");
    builder_.StartObject();
    for (const json::Member& member : given.members()) {
      builder_.Key(member.key);
      added |= Fill(member.value, properties.Find(member.key), depth + 1);
    }
    for (const json::Member& property : properties.members()) {
      const json::Value taken = DefaultOf(property.value);
      if (!taken.exists() || given.Find(property.key).exists()) continue;
      builder_.Field(property.key, taken);
      added = true;
    }
    builder_.EndObject();
    return added;
  }

 private:
  static constexpr int kMostReferences = 8;

  json::Value DefaultOf(json::Value schema) const {
    const json::Value beside = schema.Find("default");
    return beside.exists() ? beside : Resolve(schema).Find("default");
  }
  json::Value Resolve(json::Value schema) const {
    for (int i = 0; i < kMostReferences; ++i) {
      const absl::string_view reference = schema.StringOr("$ref", "");
      if (!absl::StartsWith(reference, "#/")) return schema;
      schema = json::ValueAt(root_, reference.substr(1));
    }
    return schema;
  }

  const json::Value root_;
  json::Builder& builder_;
};

}  // namespace

bool MayHaveDefaults(json::Value schema) {
  std::vector<json::Value> open = {schema};
  while (!open.empty()) {
    const json::Value at = open.back();
    open.pop_back();
    if (at.Find("default").exists()) return true;
    for (json::Value item : at.items()) open.push_back(item);
    for (const json::Member& member : at.members()) open.push_back(member.value);
  }
  return false;
}

absl::StatusOr<std::optional<json::Document>> WithDefaults(json::Value arguments,
                                                           json::Value schema) {
  json::Builder builder(2 * json::kMaxDepth);
  if (!Filling(schema, builder).Fill(arguments, schema, 0)) return std::nullopt;
  TIPSTAFF_ASSIGN_OR_RETURN(json::Document filled, std::move(builder).Build());
  return filled;
}

}  // namespace tipstaff::schema
