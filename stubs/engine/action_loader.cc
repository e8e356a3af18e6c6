#include "stubs/engine/action_loader.h"

#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "stubs/engine/codes.h"

namespace tipstaff::engine {
namespace {

// Whether a template of this value gives the same in every call.
bool IsLiteral(json::Value value) {
  if (value.is_string()) return !absl::StartsWith(value.string(), "$");
  for (json::Value item : value.items()) {
    if (!IsLiteral(item)) return false;
  }
  for (const json::Member& member : value.members()) {
    if (!IsLiteral(member.value)) return false;
  }
  return true;
}

}  // namespace

ActionLoader::ActionLoader(const ToolDefinition& tool, Fields& fields, StubSources& sources,
                           const Definition& definition)
    : tool_(tool),
      fields_(fields),
      sources_(sources),
      definition_(definition),
      ids_(definition.IdNames()),
      names_{ids_, tool.tool.input_schema.root()} {}

std::optional<size_t> ActionLoader::Table(json::Value at) {
  if (!fields_.IsText(at, "a table's name")) return std::nullopt;
  const std::optional<size_t> table = definition_.FindTable(at.string());
  if (!table) fields_.Unknown(at, "table", at.string(), definition_.TableNames());
  return table;
}

std::optional<size_t> ActionLoader::ChangeableTable(json::Value at) {
  const std::optional<size_t> table = Table(at);
  if (!table || !definition_of(*table).capture) return table;
  fields_.Error(at, kEffectCode,
                absl::StrCat("table `", definition_of(*table).name,
                             "` captures: its rows cannot be changed or deleted"));
  return std::nullopt;
}

std::optional<std::string> ActionLoader::OptionalText(json::Value mapping, absl::string_view key,
                                                      absl::string_view otherwise) {
  const json::Value value = mapping.Find(key);
  if (!value.exists()) return std::string(otherwise);
  if (!fields_.IsText(value, absl::StrCat("`", key, "`"))) return std::nullopt;
  return std::string(value.string());
}

std::optional<std::string> ActionLoader::NotFound(json::Value mapping, size_t table) {
  return OptionalText(mapping, "not_found",
                      absl::StrCat("not found in ", definition_of(table).name));
}

bool ActionLoader::CheckColumn(size_t table, absl::string_view column, json::Value at) {
  const TableDefinition& definition = definition_of(table);
  if (definition.columns) {
    if (definition.columns->Find(column) != nullptr) return true;
    fields_.Unknown(at, "column", column, definition.columns->Names());
    return false;
  }
  std::set<std::string> columns;
  for (const auto& [key, row] : definition.rows) {
    for (const json::Member& member : row.root().members()) columns.emplace(member.key);
  }
  if (definition.rows.empty() || columns.contains(std::string(column))) return true;
  fields_.Warning(
      at, kColumnCode,
      absl::StrCat("no row of `", definition.name, "` has the column `", base::Escape(column), "`"),
      Suggest(column, std::vector<std::string>(columns.begin(), columns.end())));
  return true;
}

bool ActionLoader::CheckCells(size_t table, json::Value cells) {
  const std::optional<Columns>& columns = definition_of(table).columns;
  if (!columns) return true;
  bool good = true;
  for (const json::Member& cell : cells.members()) {
    if (columns->Find(cell.key) == nullptr) {
      fields_.ErrorAtKey(cell.value, kUnknownNameCode,
                         absl::StrCat("unknown column `", base::Escape(cell.key), "`"),
                         Suggest(cell.key, columns->Names()));
      good = false;
    } else if (IsLiteral(cell.value)) {
      if (const auto misfit = columns->CheckCell(cell.key, cell.value)) {
        fields_.Error(cell.value, kColumnsCode, ShowMisfit(*misfit));
        good = false;
      }
    }
  }
  return good;
}

}  // namespace tipstaff::engine
