#include "mediator/policy/result_rule.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/policy/definitions.h"
#include "mediator/policy/published_json.h"

namespace tipstaff::policy {
namespace {

// A CallToolResult around what a tool made.
constexpr int kMaxDepth = json::kMaxDepth + 8;
using internal::kMaxPublishedDepth;

constexpr char kAnyObject[] = R"({"type":"object"})";
constexpr char kTooLarge[] =
    "the call was made, but its result is larger than what may come back from it";
constexpr char kNoFields[] =
    "the call was made, but its result is not in the form of which parts may come back";

// The value that the result says as text, where that is all it says.
std::optional<json::Document> ValueInText(json::Value result) {
  const json::Value content = result.Find("content");
  if (content.size() != 1 || content.At(0).StringOr("type", "") != "text") return std::nullopt;
  absl::StatusOr<json::Document> value = json::Parse(content.At(0).StringOr("text", ""));
  if (!value.ok() || !value->root().is_object()) return std::nullopt;
  return *std::move(value);
}

std::string OnlyFields(const Parts& fields, const std::string& result) {
  const absl::StatusOr<json::Document> parsed = json::Parse(result, {.max_depth = kMaxDepth});
  if (!parsed.ok()) return call::ErrorResult(kNoFields);
  const json::Value structured = parsed->root().Find("structuredContent");
  std::optional<json::Document> in_text;
  if (!structured.exists()) in_text = ValueInText(parsed->root());
  const json::Value whole = in_text.has_value() ? in_text->root() : structured;
  if (!whole.is_object()) return call::ErrorResult(kNoFields);
  const json::Document kept = fields.Only(whole);
  json::Builder builder(kMaxDepth);
  builder.StartObject().Key("content").StartArray();
  builder.StartObject().Field("type", "text").Field("text", json::Dump(kept.root())).EndObject();
  builder.EndArray().Field("structuredContent", kept.root()).EndObject();
  const absl::StatusOr<json::Document> limited = std::move(builder).Build();
  return limited.ok() ? json::Dump(limited->root()) : call::ErrorResult(kNoFields);
}

// Whether parts of it are named by anything but a way from the root, so that what is left may mean
// another one.
bool NamesParts(json::Value schema) {
  std::vector<json::Value> open = {schema};
  while (!open.empty()) {
    const json::Value at = open.back();
    open.pop_back();
    for (json::Value item : at.items()) open.push_back(item);
    for (const json::Member& member : at.members()) {
      if (member.key == "$dynamicRef" || member.key == "$id") return true;
      open.push_back(member.value);
    }
  }
  return false;
}

void CopyOutput(json::Builder& builder, json::Value schema, const Parts::Place& place);

// The keywords of a schema that only leads to parts. Recurses as deep as it nests.
void CopyKeywords(json::Builder& builder, json::Value schema, const Parts::Place& place) {
  if (schema.Find("type").exists()) builder.Field("type", schema.Find("type"));
  const json::Value properties = schema.Find("properties"), items = schema.Find("items");
  if (properties.is_object()) {
    builder.Key("properties").StartObject();
    std::vector<absl::string_view> whole;
    for (const json::Member& member : properties.members()) {
      const Parts::Place below = place.Below(member.key);
      if (!below.leads_on()) continue;
      if (below.is_part()) whole.push_back(member.key);
      builder.Key(member.key);
      CopyOutput(builder, member.value, below);
    }
    builder.EndObject().Key("required").StartArray();
    for (json::Value name : schema.Find("required").items()) {
      if (name.is_string() && std::count(whole.begin(), whole.end(), name.string()) > 0) {
        builder.Copy(name);
      }
    }
    builder.EndArray();
  } else if (items.is_object() && !schema.Find("prefixItems").exists()) {
    builder.Key("items");
    CopyOutput(builder, items, place.Below("*"));
  }
}

void CopyOutput(json::Builder& builder, json::Value schema, const Parts::Place& place) {
  if (place.is_part()) {
    builder.Copy(schema);
    return;
  }
  builder.StartObject();
  CopyKeywords(builder, schema, place);
  builder.EndObject();
}

}  // namespace

json::Document OutputOf(json::Value output_schema, const Parts& fields) {
  if (!output_schema.Find("properties").is_object() || NamesParts(output_schema)) {
    return json::MustParse(kAnyObject);
  }
  const Parts::Place root(fields);
  if (root.is_part()) return internal::Own(output_schema);
  json::Builder builder(kMaxPublishedDepth);
  builder.StartObject();
  CopyKeywords(builder, output_schema, root);
  for (const char* key : {"$schema", "$defs", "definitions"}) {
    if (const json::Value there = output_schema.Find(key); there.exists())
      builder.Field(key, there);
  }
  builder.EndObject();
  const json::Document kept = internal::Built(std::move(builder));
  const bool stands_alone =
      kept.root().is_object() && internal::RefersToDefinitionsOnly(kept.root());
  return stands_alone ? internal::WithoutIdle(kept.root()) : json::MustParse(kAnyObject);
}

std::string LimitResult(const ResultRule& rule, call::OutcomeKind kind, std::string result) {
  if (rule.fields.has_value() && kind == call::OutcomeKind::kOk) {
    result = OnlyFields(*rule.fields, result);
  }
  if (rule.max_bytes.has_value() && result.size() > *rule.max_bytes) {
    return call::ErrorResult(kTooLarge);
  }
  return result;
}

}  // namespace tipstaff::policy
