#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "stubs/engine/codes.h"
#include "stubs/engine/load.h"

namespace tipstaff::engine {
namespace {

std::optional<call::Effect> LoadEffect(json::Value value, Fields& fields) {
  if (!fields.IsText(value, "`effect`")) return std::nullopt;
  const std::optional<call::Effect> effect = call::ParseEffect(value.string());
  if (!effect) {
    fields.Error(value, kValueCode,
                 absl::StrCat("unknown effect `", base::Escape(value.string()), "`"),
                 "expected read, write or finalize");
  }
  return effect;
}

bool LoadNames(json::Value value, Fields& fields, const IsKnownTool& is_known, call::Tool& tool) {
  const json::Value name = value.Find("name");
  if (!fields.IsText(name, "`name`")) return false;
  if (!call::IsToolName(name.string())) {
    fields.Error(name, kValueCode,
                 absl::StrCat("bad tool name `", base::Escape(name.string()), "`"),
                 "expected 1 to 64 letters, digits, `_`, `-` and `.`");
    return false;
  }
  if (is_known(name.string())) {
    fields.Error(name, kTwiceCode, absl::StrCat("a second tool `", name.string(), "`"));
    return false;
  }
  for (const char* key : {"title", "description"}) {
    const json::Value text = value.Find(key);
    if (text.exists() && !fields.IsText(text, absl::StrCat("`", key, "`"))) return false;
  }
  tool.name = std::string(name.string());
  tool.title = std::string(value.StringOr("title", ""));
  tool.description = std::string(value.StringOr("description", ""));
  return true;
}

// The argument must be one that the mediator alone fills in: of the schema, and not asked of
// agents.
bool LoadIdempotencyKey(json::Value value, Fields& fields, call::Tool& tool) {
  const json::Value key = value.Find("idempotency_key");
  if (!key.exists()) return true;
  if (!fields.IsText(key, "`idempotency_key`")) return false;
  const std::string named = absl::StrCat("`", base::Escape(key.string()), "`");
  if (tool.effect != call::Effect::kFinalize) {
    fields.Error(key, kValueCode, "`idempotency_key` is for a tool with `effect: finalize`",
                 "only a result is ever delivered a second time");
    return false;
  }
  const json::Value input = tool.input_schema.root();
  const json::Value property = input.Find("properties").Find(key.string());
  if (property.StringOr("type", "") != "string") {
    fields.Error(key, kUnknownNameCode,
                 absl::StrCat("`idempotency_key` names ", named,
                              ", which is no argument of `type: string` in `input`"),
                 absl::StrCat("add ", named, " to `properties`"));
    return false;
  }
  for (json::Value name : input.Find("required").items()) {
    if (!name.is_string() || name.string() != key.string()) continue;
    fields.Error(key, kUnknownNameCode,
                 absl::StrCat("`idempotency_key` names ", named,
                              ", which `input` requires: agents do not give it"),
                 absl::StrCat("take ", named, " out of `required`"));
    return false;
  }
  tool.idempotency_key = std::string(key.string());
  return true;
}

void LoadTool(json::Value value, Fields& fields, StubSources& sources, Definition& definition) {
  if (!fields.IsMapping(value, "a tool",
                        {"name", "title", "description", "effect", "input", "output", "select",
                         "insert", "update", "delete", "lua", "idempotency_key"},
                        {"name", "effect", "input"})) {
    return;
  }
  const auto is_known = [&](absl::string_view name) {
    return definition.FindTool(name).has_value();
  };
  std::optional<ToolFace> face = LoadToolFace(value, fields, sources, is_known);
  if (!face) return;
  const Fields::Within note(fields, absl::StrCat("in tool `", face->tool.name, "`"));
  std::optional<Action> action = LoadAction(
      value, face->tool.effect, face->tool.input_schema.root(), fields, sources, definition);
  if (!action) return;
  definition.tools.push_back(
      {std::move(face->tool), std::move(face->input), std::move(face->output), *std::move(action)});
}

}  // namespace

std::optional<ToolFace> LoadToolFace(json::Value value, Fields& fields, StubSources& sources,
                                     const IsKnownTool& is_known) {
  const Fields::Within note(
      fields, absl::StrCat("in tool `", base::EscapeAndCut(value.StringOr("name", "?"), 64), "`"));
  call::Tool tool;
  if (!LoadNames(value, fields, is_known, tool)) return std::nullopt;
  const std::optional<call::Effect> effect = LoadEffect(value.Find("effect"), fields);
  std::optional<LoadedSchema> input = LoadSchema(value.Find("input"), "`input`", fields, sources);
  std::optional<LoadedSchema> output;
  if (const json::Value schema = value.Find("output"); schema.exists()) {
    output = LoadSchema(schema, "`output`", fields, sources);
    if (!output) return std::nullopt;
  }
  if (!effect || !input) return std::nullopt;
  tool.effect = *effect;
  tool.input_schema = std::move(input->schema);
  if (!LoadIdempotencyKey(value, fields, tool)) return std::nullopt;
  std::optional<schema::Program> checks_output;
  if (output) {
    tool.output_schema = std::move(output->schema);
    checks_output = std::move(output->program);
  }
  return ToolFace{std::move(tool), std::move(input->program), std::move(checks_output)};
}

void LoadTools(json::Value tools, Fields& fields, StubSources& sources, Definition& definition) {
  if (!fields.IsSequence(tools, "`tools`")) return;
  if (tools.size() == 0) fields.Error(tools, kValueCode, "a stub has at least one tool");
  for (json::Value tool : tools.items()) LoadTool(tool, fields, sources, definition);
}

}  // namespace tipstaff::engine
