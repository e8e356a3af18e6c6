#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "stubs/engine/codes.h"
#include "stubs/engine/limits.h"
#include "stubs/engine/load.h"

namespace tipstaff::engine {
namespace {

// What the audience of every run token begins with (mediator/host/tokens.h).
constexpr absl::string_view kMediatorsAudience = "tipstaff:";

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

// A name or URI. What begins with `$` is a variable that nobody expands.
bool IsAudience(absl::string_view text) {
  static constexpr absl::string_view kMarks = "._~:/@%-";
  return !text.empty() && text.size() <= kMaxAudienceBytes && absl::ascii_isalnum(text.front()) &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return absl::ascii_isalnum(c) || absl::StrContains(kMarks, c);
         });
}

bool LoadAudience(json::Value value, Fields& fields, call::Tool& tool) {
  const json::Value audience = value.Find("audience");
  if (!audience.exists()) return true;
  if (!fields.IsText(audience, "`audience`")) return false;
  if (tool.effect != call::Effect::kFinalize) {
    fields.Error(audience, kValueCode, "`audience` is for a tool with `effect: finalize`",
                 "a token goes only with the result of a run");
    return false;
  }
  const std::string named = absl::StrCat("`", base::EscapeAndCut(audience.string(), 80), "`");
  if (!IsAudience(audience.string())) {
    fields.Error(audience, kValueCode, absl::StrCat("bad audience ", named),
                 absl::StrCat("expected 1 to ", kMaxAudienceBytes,
                              " letters, digits and `._~:/@%-`, a letter or digit first"));
    return false;
  }
  if (absl::StartsWith(audience.string(), kMediatorsAudience)) {
    fields.Error(audience, kValueCode, absl::StrCat("the audience ", named, " is a mediator's own"),
                 "name who receives the result, for instance reports.example");
    return false;
  }
  tool.audience = std::string(audience.string());
  return true;
}

void LoadTool(json::Value value, Fields& fields, StubSources& sources, Definition& definition) {
  if (!fields.IsMapping(value, "a tool",
                        {"name", "title", "description", "effect", "input", "output", "select",
                         "insert", "update", "delete", "transition", "replies", "lua", "result",
                         "idempotency_key", "audience"},
                        {"name", "effect", "input"})) {
    return;
  }
  const auto is_known = [&](absl::string_view name) {
    return definition.FindTool(name).has_value();
  };
  std::optional<ToolFace> face = LoadToolFace(value, fields, sources, is_known);
  if (!face) return;
  const Fields::Within note(fields, absl::StrCat("in tool `", face->tool.name, "`"));
  schema::Defaults defaults(face->tool.input_schema);
  ToolDefinition tool{std::move(face->tool), std::move(face->input), std::move(defaults),
                      std::move(face->output), Action()};
  if (!LoadAction(value, fields, sources, definition, tool)) return;
  definition.tools.push_back(std::move(tool));
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
  if (!LoadIdempotencyKey(value, fields, tool) || !LoadAudience(value, fields, tool)) {
    return std::nullopt;
  }
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
