// Values that the ledger does not keep.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/json/builder.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/loader.h"

namespace tipstaff::policy::internal {
namespace {

bool IsReference(const SchemaPlace& place) {
  return place.schema.Find("$ref").exists() || place.schema.Find("$dynamicRef").exists();
}

bool HasSensitive(const std::vector<SchemaPlace>& places) {
  return std::any_of(places.begin(), places.end(), [](const SchemaPlace& place) {
    return place.schema.BoolOr("sensitive", false);
  });
}

// The argument that it is in; of one schema of all, all of them.
std::string RootOf(json::Value node, const SchemaPlace& place) {
  if (node.Find("schema").exists()) return "";
  return place.argument.substr(0, place.argument.find('/', 1));
}

}  // namespace

void Loader::ReadSensitive(json::Value node, Permission& permission) {
  const std::vector<SchemaPlace> places = SchemasOf(node);
  const json::Value result = node.Find("result").Find("sensitive");
  if (result.exists())
    permission.sensitive_result = ReadParts(reader_.List(node.Find("result"), "sensitive"));
  if (permission.effect == call::Effect::kFinalize) {
    RefuseSensitive(places, "what a run submits is recorded, as it has to outlast a crash");
    if (result.exists()) {
      reader_.ErrorAtKey(result, kNotSensitive, "the receipt of a run is recorded");
    }
    return;
  }
  const bool refers = std::any_of(places.begin(), places.end(), IsReference);
  for (const SchemaPlace& place : places) {
    const bool marked = place.schema.BoolOr("sensitive", false);
    if (marked && !place.defined) AddSensitiveChecks(place, permission);
    // What a reference leads to may be marked, and a marked one be led to from there.
    if (refers && HasSensitive(places) && (marked || IsReference(place))) {
      permission.sensitive.Add(RootOf(node, place));
    } else if (marked) {
      permission.sensitive.Add(place.argument);
    }
  }
}

void Loader::AddSensitiveChecks(const SchemaPlace& place, Permission& permission) {
  for (const json::Member& member : place.schema.members()) {
    const schema::Keyword keyword = KeywordOf(member.key);
    if (IsAnnotation(member.key) || keyword == schema::Keyword::kUnknown ||
        schema::WhatItHolds(keyword) != schema::Holds::kNothing || member.key.front() == '$') {
      continue;
    }
    json::Builder builder;
    builder.StartObject().Field(member.key, member.value);
    if (member.key != "text") builder.Field("text", "any");
    builder.EndObject();
    const absl::StatusOr<json::Document> alone = std::move(builder).Build();
    if (!alone.ok()) continue;
    std::vector<schema::Problem> problems;  // which were reported of the whole
    auto program = schema::Program::Compile(
        alone->root(), {.dialect = schema::Dialect::kSkill, .bindings = skill_->schema_bindings_},
        problems);
    if (!program.has_value()) continue;
    SensitiveCheck check{.keyword = std::string(member.key), .program = *std::move(program)};
    check.at.Add(place.argument);
    permission.sensitive_checks.push_back(std::move(check));
  }
}

void Loader::RefuseSensitive(const std::vector<SchemaPlace>& places, const char* why) {
  for (const SchemaPlace& place : places) {
    if (!place.schema.BoolOr("sensitive", false)) continue;
    reader_.ErrorAtKey(place.schema.Find("sensitive"), kNotSensitive, why);
  }
}

}  // namespace tipstaff::policy::internal
