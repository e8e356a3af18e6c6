#include "stubs/engine/tool_file.h"

#include <algorithm>
#include <utility>

#include "stubs/engine/codes.h"
#include "stubs/engine/load.h"

namespace tipstaff::engine {
namespace {

void LoadDeclared(json::Value value, Fields& fields, StubSources& sources,
                  std::vector<DeclaredTool>& tools) {
  if (!fields.IsMapping(value, "a tool",
                        {"name", "title", "description", "effect", "input", "output",
                         "idempotency_key", "audience"},
                        {"name", "effect", "input"})) {
    return;
  }
  for (const char* key : {"input", "output"}) {
    const json::Value schema = value.Find(key);
    if (!schema.is_string()) continue;
    fields.Error(schema, kFileCode, "a tool's schema stands in this file itself",
                 "write it out: {type: object, ...}");
    return;
  }
  const auto is_known = [&](absl::string_view name) {
    return std::any_of(tools.begin(), tools.end(),
                       [&](const DeclaredTool& one) { return one.tool.name == name; });
  };
  std::optional<ToolFace> face = LoadToolFace(value, fields, sources, is_known);
  if (face) tools.push_back({std::move(face->tool), std::move(face->output)});
}

}  // namespace

std::optional<std::vector<DeclaredTool>> LoadToolFile(std::shared_ptr<const source::File> file,
                                                      source::Diagnostics& diagnostics) {
  source::Diagnostics found;
  const StubFiles none;
  StubSources sources(none, found);
  std::vector<DeclaredTool> tools;
  if (const source::Document* document = sources.Parse(std::move(file))) {
    Fields fields(*document, found);
    const json::Value root = document->root(), list = root.Find("tools");
    if (fields.IsMapping(root, "a file of tools", {"tools"}, {"tools"}) &&
        fields.IsSequence(list, "`tools`")) {
      if (list.size() == 0) fields.Error(list, kValueCode, "a system has at least one tool");
      for (json::Value tool : list.items()) LoadDeclared(tool, fields, sources, tools);
    }
  }
  const bool good = !source::HasErrors(found);
  diagnostics.insert(diagnostics.end(), found.begin(), found.end());
  if (!good) return std::nullopt;
  return tools;
}

}  // namespace tipstaff::engine
