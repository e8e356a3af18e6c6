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

bool LoadNames(json::Value value, Fields& fields, Definition& definition, call::Tool& tool) {
  const json::Value name = value.Find("name");
  if (!fields.IsText(name, "`name`")) return false;
  if (!call::IsToolName(name.string())) {
    fields.Error(name, kValueCode,
                 absl::StrCat("bad tool name `", base::Escape(name.string()), "`"),
                 "expected 1 to 64 letters, digits, `_`, `-` and `.`");
    return false;
  }
  if (definition.FindTool(name.string())) {
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

void LoadTool(json::Value value, Fields& fields, StubSources& sources, Definition& definition) {
  if (!fields.IsMapping(value, "a tool",
                        {"name", "title", "description", "effect", "input", "output", "select",
                         "insert", "update", "delete", "lua"},
                        {"name", "effect", "input"})) {
    return;
  }
  const Fields::Within note(
      fields, absl::StrCat("in tool `", base::EscapeAndCut(value.StringOr("name", "?"), 64), "`"));
  call::Tool tool;
  if (!LoadNames(value, fields, definition, tool)) return;
  const std::optional<call::Effect> effect = LoadEffect(value.Find("effect"), fields);
  std::optional<LoadedSchema> input = LoadSchema(value.Find("input"), "`input`", fields, sources);
  std::optional<LoadedSchema> output;
  if (const json::Value schema = value.Find("output"); schema.exists()) {
    output = LoadSchema(schema, "`output`", fields, sources);
    if (!output) return;
  }
  if (!effect || !input) return;
  std::optional<Action> action =
      LoadAction(value, *effect, input->schema.root(), fields, sources, definition);
  if (!action) return;
  tool.effect = *effect;
  tool.input_schema = std::move(input->schema);
  std::optional<schema::Program> checks_output;
  if (output) {
    tool.output_schema = std::move(output->schema);
    checks_output = std::move(output->program);
  }
  definition.tools.push_back(
      {std::move(tool), std::move(input->program), std::move(checks_output), *std::move(action)});
}

}  // namespace

void LoadTools(json::Value tools, Fields& fields, StubSources& sources, Definition& definition) {
  if (!fields.IsSequence(tools, "`tools`")) return;
  if (tools.size() == 0) fields.Error(tools, kValueCode, "a stub has at least one tool");
  for (json::Value tool : tools.items()) LoadTool(tool, fields, sources, definition);
}

}  // namespace tipstaff::engine
