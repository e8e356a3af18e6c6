// What the loaders of a tool's action share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stubs/engine/definition.h"
#include "stubs/engine/fields.h"
#include "stubs/engine/load.h"
#include "stubs/engine/stub_sources.h"

namespace tipstaff::engine {

// Of one tool. Each method that finds something wrong adds an error. What it is made of must
// outlive it.
class ActionLoader {
 public:
  // `tool` has all but its action and result.
  ActionLoader(const ToolDefinition& tool, Fields& fields, StubSources& sources,
               const Definition& definition);

  const ToolDefinition& tool() const { return tool_; }
  Fields& fields() { return fields_; }
  StubSources& sources() { return sources_; }
  // What references of the action may name.
  const TemplateNames& names() const { return names_; }
  const TableDefinition& definition_of(size_t table) const { return definition_.tables[table]; }

  std::optional<size_t> Table(json::Value at);
  // The table of an update, a delete or a transition.
  std::optional<size_t> ChangeableTable(json::Value at);
  // The text of an optional key; nothing after adding an error.
  std::optional<std::string> OptionalText(json::Value mapping, absl::string_view key,
                                          absl::string_view otherwise);
  // The sentence for a row that is not there.
  std::optional<std::string> NotFound(json::Value mapping, size_t table);
  // Whether the table may have the column, an error or a warning at `at` where it has not.
  bool CheckColumn(size_t table, absl::string_view column, json::Value at);
  // Whether the table's columns take what `cells`, a mapping, writes into a row, as far as that
  // does not hang on the call.
  bool CheckCells(size_t table, json::Value cells);

 private:
  const ToolDefinition& tool_;
  Fields& fields_;
  StubSources& sources_;
  const Definition& definition_;
  const std::vector<std::string> ids_;
  const TemplateNames names_;
};

// Each loads the value of the key that is named like it.
std::optional<Action> LoadSelect(json::Value value, ActionLoader& loader);
std::optional<Action> LoadInsert(json::Value value, ActionLoader& loader);
std::optional<Action> LoadUpdate(json::Value value, ActionLoader& loader);
std::optional<Action> LoadDelete(json::Value value, ActionLoader& loader);
std::optional<Action> LoadTransition(json::Value value, ActionLoader& loader);
std::optional<Action> LoadReplies(json::Value value, ActionLoader& loader);
std::optional<Action> LoadScript(json::Value value, ActionLoader& loader);

}  // namespace tipstaff::engine
