#include "stubs/engine/definition.h"

namespace tipstaff::engine {
namespace {

template <typename Items, typename NameOf>
std::optional<size_t> FindIn(const Items& items, absl::string_view name, NameOf name_of) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (name_of(items[i]) == name) return i;
  }
  return std::nullopt;
}

template <typename Items, typename NameOf>
std::vector<std::string> NamesIn(const Items& items, NameOf name_of) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(name_of(item));
  return names;
}

const std::string& NameOfTable(const TableDefinition& table) { return table.name; }
const std::string& NameOfId(const IdDefinition& id) { return id.name; }
const std::string& NameOfTool(const ToolDefinition& tool) { return tool.tool.name; }

}  // namespace

std::optional<size_t> Definition::FindTable(absl::string_view table) const {
  return FindIn(tables, table, NameOfTable);
}
std::optional<size_t> Definition::FindId(absl::string_view id) const {
  return FindIn(ids, id, NameOfId);
}
std::optional<size_t> Definition::FindTool(absl::string_view tool) const {
  return FindIn(tools, tool, NameOfTool);
}
std::vector<std::string> Definition::TableNames() const { return NamesIn(tables, NameOfTable); }
std::vector<std::string> Definition::ToolNames() const { return NamesIn(tools, NameOfTool); }
std::vector<std::string> Definition::IdNames() const { return NamesIn(ids, NameOfId); }

}  // namespace tipstaff::engine
