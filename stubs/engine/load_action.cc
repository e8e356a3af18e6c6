#include <vector>

#include "absl/strings/str_cat.h"
#include "stubs/engine/action_loader.h"
#include "stubs/engine/codes.h"
#include "stubs/engine/lua_script.h"
#include "stubs/engine/replies.h"

namespace tipstaff::engine {
namespace {

struct Kind {
  absl::string_view key;
  bool reads;  // may be what a tool with `effect: read` does
  std::optional<Action> (*load)(json::Value value, ActionLoader& loader);
};
constexpr Kind kKinds[] = {{"select", true, &LoadSelect},
                           {"insert", false, &LoadInsert},
                           {"update", false, &LoadUpdate},
                           {"delete", false, &LoadDelete},
                           {"transition", false, &LoadTransition},
                           {"replies", true, &LoadReplies},
                           {"lua", true, &LoadScript}};

std::string KindKeys() {
  std::vector<std::string> keys;
  for (const Kind& kind : kKinds) keys.emplace_back(kind.key);
  return ListNames(keys);
}

// The one that the tool has.
const Kind* FindKind(json::Value tool, Fields& fields) {
  const Kind* found = nullptr;
  for (const Kind& kind : kKinds) {
    if (!tool.Find(kind.key).exists()) continue;
    if (found != nullptr) {
      fields.ErrorAtKey(tool.Find(kind.key), kActionCode,
                        absl::StrCat("both `", found->key, "` and `", kind.key, "`"),
                        absl::StrCat("a tool has exactly one of ", KindKeys()));
      return nullptr;
    }
    found = &kind;
  }
  if (found == nullptr) {
    fields.Error(tool, kActionCode, "nothing says what the tool does",
                 absl::StrCat("it needs one of ", KindKeys()));
  }
  return found;
}

}  // namespace

std::optional<Action> LoadScript(json::Value value, ActionLoader& loader) {
  if (!loader.fields().IsText(value, "`lua`")) return std::nullopt;
  std::shared_ptr<const source::File> file = loader.sources().Open(value, loader.fields());
  if (file == nullptr) return std::nullopt;
  const std::string path(value.string());
  std::optional<ScriptProblem> problem;
  std::string bytecode = CompileScript(path, file->text, problem);
  if (!problem) return Script{path, std::move(bytecode)};
  source::Diagnostic diagnostic;
  diagnostic.code = kScriptCode;
  diagnostic.message = problem->message;
  diagnostic.file = std::move(file);
  diagnostic.span.line = problem->line;
  diagnostic.span.column = 1;
  loader.sources().diagnostics().push_back(std::move(diagnostic));
  return std::nullopt;
}

namespace {

// What an action hands to a `result`; nothing for those whose result is the author's anyway.
struct Parts {
  std::vector<std::string> names;
  std::optional<size_t> table;  // of "row"
};
Parts PartsOf(const Select& select) {
  if (select.one) return {{"row"}, select.table};
  return {select.page ? std::vector<std::string>{"rows", "total", "next_cursor"}
                      : std::vector<std::string>{"rows", "total"},
          {}};
}
Parts PartsOf(const Insert& insert) { return {{"row"}, insert.table}; }
Parts PartsOf(const Update& update) { return {{"row"}, update.table}; }
Parts PartsOf(const Delete& action) { return {{"row"}, action.table}; }
Parts PartsOf(const Transition& transition) { return {{"row", "from", "to"}, transition.table}; }
Parts PartsOf(const Script&) { return {}; }
Parts PartsOf(const std::shared_ptr<const Replies>&) { return {}; }

bool LoadResult(json::Value result, absl::string_view kind, ActionLoader& loader,
                ToolDefinition& tool) {
  if (!result.exists()) return true;
  const Parts parts = std::visit([](const auto& action) { return PartsOf(action); }, tool.action);
  if (parts.names.empty()) {
    loader.fields().ErrorAtKey(
        result, kActionCode,
        absl::StrCat("`result` says nothing beside `", kind, "`, which says what the result is"));
    return false;
  }
  if (!loader.fields().IsObject(result, "`result`")) return false;
  TemplateNames names = loader.names();
  names.parts = parts.names;
  if (parts.table) {
    const std::optional<Columns>& columns = loader.definition_of(*parts.table).columns;
    names.row = columns ? &*columns : nullptr;
  }
  tool.result = Template::Load(result, names, loader.fields());
  return tool.result.has_value();
}

}  // namespace

bool LoadAction(json::Value value, Fields& fields, StubSources& sources,
                const Definition& definition, ToolDefinition& tool) {
  const Kind* kind = FindKind(value, fields);
  if (kind == nullptr) return false;
  const json::Value at = value.Find(kind->key);
  if (tool.tool.effect == call::Effect::kRead && !kind->reads) {
    fields.ErrorAtKey(at, kEffectCode,
                      absl::StrCat("a tool that reads cannot have `", kind->key, "`"),
                      "say `effect: write`");
    return false;
  }
  ActionLoader loader(tool, fields, sources, definition);
  std::optional<Action> action = kind->load(at, loader);
  if (!action) return false;
  tool.action = *std::move(action);
  return LoadResult(value.Find("result"), kind->key, loader, tool);
}

}  // namespace tipstaff::engine
