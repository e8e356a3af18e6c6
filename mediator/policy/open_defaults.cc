#include "mediator/policy/open_defaults.h"

#include <algorithm>

#include "mediator/json/builder.h"
#include "mediator/policy/schema_places.h"
#include "mediator/schema/references.h"

namespace tipstaff::policy::internal {
namespace {

absl::StatusOr<json::Document> ObjectOf(absl::string_view name, json::Value value) {
  json::Builder builder;
  builder.StartObject().Field(name, value).EndObject();
  return std::move(builder).Build();
}

bool IsReference(json::Value value) {
  return schema::ReadOperand(value).kind == schema::Operand::Kind::kReference;
}

bool Refers(json::Value schema) {
  for (const SchemaPlace& place : SchemasWithin(schema, "")) {
    for (const json::Member& member : place.schema.members()) {
      const auto items = member.value.items();
      if (IsReference(member.value) || std::any_of(items.begin(), items.end(), IsReference))
        return true;
      for (const json::Member& list : member.value.members()) {  // of `url`
        const auto entries = list.value.items();
        if (IsReference(list.value) || std::any_of(entries.begin(), entries.end(), IsReference))
          return true;
      }
    }
  }
  return false;
}

// Whether the one argument's schema holds of `value`; nothing where the schema is wrong, which was
// reported of the whole.
std::optional<bool> HoldsOf(const CompiledSkill& skill, const json::Member& argument,
                            json::Value value) {
  const auto schema = ObjectOf(argument.key, argument.value), given = ObjectOf(argument.key, value);
  if (!schema.ok() || !given.ok()) return std::nullopt;
  std::vector<schema::Problem> problems;
  const auto program = schema::Program::CompileArguments(
      schema->root(), {.dialect = schema::Dialect::kSkill, .bindings = skill.schema_bindings_},
      problems);
  if (!program.has_value()) return std::nullopt;
  return program->Accepts(given->root());
}

// Whether a call without it can still satisfy `node`.
bool MayBeLeftOut(json::Value node, const json::Member& argument) {
  if (node.Find("args").exists()) return argument.value.BoolOr("optional", false);
  const auto required = node.Find("schema").Find("required").items();
  return std::none_of(required.begin(), required.end(), [&](json::Value name) {
    return name.is_string() && name.string() == argument.key;
  });
}

}  // namespace

std::vector<OpenDefault> OpenDefaults(const CompiledSkill& skill, json::Value node,
                                      json::Value tool) {
  std::vector<OpenDefault> open;
  const json::Value args = node.Find("args");
  const json::Value listed = args.exists() ? args : node.Find("schema").Find("properties");
  for (const json::Member& argument : listed.members()) {
    const json::Value taken = tool.Find("properties").Find(argument.key).Find("default");
    if (!taken.exists() || !MayBeLeftOut(node, argument) || Refers(argument.value)) continue;
    const std::optional<bool> holds = HoldsOf(skill, argument, taken);
    if (holds.has_value() && !*holds) open.push_back({argument.value, taken});
  }
  return open;
}

}  // namespace tipstaff::policy::internal
