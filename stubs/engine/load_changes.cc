// Loading the actions that change a row: insert, update, delete.
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "stubs/engine/action_loader.h"
#include "stubs/engine/codes.h"

namespace tipstaff::engine {
namespace {

// What every row has, `row` has too.
bool IsComplete(size_t table, json::Value row, ActionLoader& loader) {
  const TableDefinition& definition = loader.definition_of(table);
  if (!row.Find(definition.key).exists()) {
    loader.fields().Error(row, kRowCode,
                          absl::StrCat("`row` needs the key column `", definition.key, "`"));
    return false;
  }
  if (!definition.columns) return true;
  for (const std::string& column : definition.columns->required()) {
    if (row.Find(column).exists()) continue;
    loader.fields().Error(row, kColumnsCode,
                          absl::StrCat("`row` lacks the column `", base::Escape(column),
                                       "`, which `", definition.name, "` requires"));
    return false;
  }
  return true;
}

}  // namespace

std::optional<Action> LoadInsert(json::Value value, ActionLoader& loader) {
  Fields& fields = loader.fields();
  if (!fields.IsMapping(value, "`insert`", {"into", "row"}, {"into", "row"})) return std::nullopt;
  const std::optional<size_t> table = loader.Table(value.Find("into"));
  const json::Value row = value.Find("row");
  std::optional<Template> loaded = Template::Load(row, loader.names(), fields);
  if (!table || !loaded || !fields.IsObject(row, "`row`")) return std::nullopt;
  if (!IsComplete(*table, row, loader) || !loader.CheckCells(*table, row)) return std::nullopt;
  return Insert{*table, *std::move(loaded)};
}

std::optional<Action> LoadUpdate(json::Value value, ActionLoader& loader) {
  Fields& fields = loader.fields();
  if (!fields.IsMapping(value, "`update`", {"table", "key", "set", "not_found"},
                        {"table", "key", "set"})) {
    return std::nullopt;
  }
  const std::optional<size_t> table = loader.ChangeableTable(value.Find("table"));
  const json::Value set = value.Find("set");
  std::optional<Template> key = Template::Load(value.Find("key"), loader.names(), fields);
  std::optional<Template> loaded = Template::Load(set, loader.names(), fields);
  if (!table || !key || !loaded || !fields.IsObject(set, "`set`")) return std::nullopt;
  std::optional<std::string> not_found = loader.NotFound(value, *table);
  if (!not_found || !loader.CheckCells(*table, set)) return std::nullopt;
  return Update{*table, *std::move(key), *std::move(loaded), *std::move(not_found)};
}

std::optional<Action> LoadDelete(json::Value value, ActionLoader& loader) {
  Fields& fields = loader.fields();
  if (!fields.IsMapping(value, "`delete`", {"table", "key", "not_found"}, {"table", "key"})) {
    return std::nullopt;
  }
  const std::optional<size_t> table = loader.ChangeableTable(value.Find("table"));
  std::optional<Template> key = Template::Load(value.Find("key"), loader.names(), fields);
  if (!table || !key) return std::nullopt;
  std::optional<std::string> not_found = loader.NotFound(value, *table);
  if (!not_found) return std::nullopt;
  return Delete{*table, *std::move(key), *std::move(not_found)};
}

}  // namespace tipstaff::engine
