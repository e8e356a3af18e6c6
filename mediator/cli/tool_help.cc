#include "mediator/cli/tool_help.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "mediator/base/escape.h"
#include "mediator/json/write.h"

namespace tipstaff::cli {
namespace {

bool IsRequired(json::Value schema, absl::string_view name) {
  for (json::Value required : schema.Find("required").items()) {
    if (required.is_string() && required.string() == name) return true;
  }
  return false;
}

std::string Name(absl::string_view name) { return base::EscapeAndCut(name, 40); }

// "string", "one of "open", "closed"", "string or null".
std::string TypeOf(json::Value property) {
  if (const json::Value allowed = property.Find("enum"); allowed.is_array()) {
    std::vector<std::string> values;
    for (json::Value value : allowed.items()) values.push_back(json::Dump(value));
    return absl::StrCat("one of ", base::EscapeAndCut(absl::StrJoin(values, ", "), 80));
  }
  const json::Value type = property.Find("type");
  if (type.is_string()) return base::EscapeAndCut(type.string(), 40);
  std::vector<std::string> names;
  for (json::Value one : type.items()) {
    if (one.is_string()) names.emplace_back(one.string());
  }
  return names.empty() ? "any value" : base::EscapeAndCut(absl::StrJoin(names, " or "), 80);
}

// The keywords that say more than the type: "maxLength 64".
std::string BoundsOf(json::Value property) {
  std::string text;
  for (const char* keyword : {"minLength", "maxLength", "minimum", "maximum", "minItems",
                              "maxItems", "pattern", "format", "default"}) {
    const json::Value value = property.Find(keyword);
    if (value.exists()) {
      absl::StrAppend(&text, ", ", keyword, " ", base::EscapeAndCut(json::Dump(value), 60));
    }
  }
  return text;
}

// What to type for an argument.
std::string Example(absl::string_view name, json::Value property) {
  const std::string type(property.StringOr("type", ""));
  const json::Value first = property.Find("enum").At(0);
  if (first.is_string()) return absl::StrCat(name, "=", first.string());
  if (type == "integer" || type == "number") return absl::StrCat(name, ":=1");
  if (type == "boolean") return absl::StrCat(name, ":=true");
  if (type == "array") return absl::StrCat(name, ":='[]'");
  if (type == "object") return absl::StrCat(name, ":='{}'");
  return absl::StrCat(name, "=TEXT");
}

}  // namespace

std::string RenderTools(absl::Span<const call::Tool> tools) {
  size_t width = 0;
  for (const call::Tool& tool : tools) width = std::max(width, tool.name.size());
  std::string text;
  for (const call::Tool& tool : tools) {
    const json::Value schema = tool.input_schema.root();
    std::vector<std::string> arguments;
    for (const json::Member& member : schema.Find("properties").members()) {
      const bool required = IsRequired(schema, member.key);
      arguments.push_back(required ? Name(member.key) : absl::StrCat("[", Name(member.key), "]"));
    }
    absl::StrAppend(&text, absl::StrFormat("%-*s  %-8s  %s", static_cast<int>(width), tool.name,
                                           std::string(call::EffectName(tool.effect)),
                                           absl::StrJoin(arguments, " ")));
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

std::string RenderTool(const call::Tool& tool) {
  const json::Value schema = tool.input_schema.root();
  std::string text = absl::StrCat(tool.name, "  ", call::EffectName(tool.effect), "\n");
  if (!tool.description.empty()) {
    absl::StrAppend(&text, base::EscapeAndCut(tool.description, 300), "\n");
  }
  std::string example = absl::StrCat("try: ", tool.name);
  for (const json::Member& member : schema.Find("properties").members()) {
    const bool required = IsRequired(schema, member.key);
    absl::StrAppend(&text, "  ", Name(member.key), ": ", TypeOf(member.value),
                    BoundsOf(member.value), required ? ", required" : "", "\n");
    const absl::string_view description = member.value.StringOr("description", "");
    if (!description.empty()) {
      absl::StrAppend(&text, "      ", base::EscapeAndCut(description, 200), "\n");
    }
    if (required) absl::StrAppend(&example, " ", Name(Example(member.key, member.value)));
  }
  return absl::StrCat(text, example, "\n");
}

}  // namespace tipstaff::cli
