// Reading `columns` and `required` of a table.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "stubs/engine/codes.h"
#include "stubs/engine/columns.h"
#include "stubs/engine/load.h"

namespace tipstaff::engine {
namespace {

void AddKind(absl::string_view type, ColumnKinds& kinds) {
  kinds.null |= type == "null";
  kinds.boolean |= type == "boolean";
  kinds.integer |= type == "integer";
  kinds.number |= type == "number";
  kinds.text |= type == "string";
}

// What says of a schema which values it can mean, the nearest to the point first.
ColumnKinds KindsOf(json::Value schema) {
  ColumnKinds kinds;
  const json::Value type = schema.Find("type"), constant = schema.Find("const");
  if (type.is_string()) AddKind(type.string(), kinds);
  for (json::Value one : type.items()) {
    if (one.is_string()) AddKind(one.string(), kinds);
  }
  if (type.exists()) return kinds;
  if (constant.exists()) AddKind(json::KindName(constant.kind()), kinds);
  const json::Value listed = schema.Find("enum");
  for (json::Value one : listed.items()) AddKind(json::KindName(one.kind()), kinds);
  if (!constant.exists() && !listed.exists()) kinds.text = true;
  return kinds;
}

std::optional<std::vector<std::string>> StatesOf(json::Value schema) {
  std::vector<std::string> states;
  if (const json::Value constant = schema.Find("const"); constant.is_string()) {
    states.emplace_back(constant.string());
    return states;
  }
  for (json::Value one : schema.Find("enum").items()) {
    if (!one.is_string()) return std::nullopt;
    states.emplace_back(one.string());
  }
  if (states.empty()) return std::nullopt;
  return states;
}

}  // namespace

std::optional<Columns> Columns::Load(json::Value table, absl::string_view key, Fields& fields) {
  const json::Value listed = table.Find("columns"), required = table.Find("required");
  if (!listed.exists()) {
    if (required.exists()) {
      fields.ErrorAtKey(required, kColumnsCode, "`required` without `columns`",
                        "say under `columns` what the columns hold");
    }
    return std::nullopt;
  }
  if (!fields.IsObject(listed, "`columns`")) return std::nullopt;
  Columns columns;
  bool good = true;
  for (const json::Member& member : listed.members()) {
    const std::string what = absl::StrCat("column `", base::Escape(member.key), "`");
    std::optional<schema::Program> program = CompileSchema(member.value, what, fields);
    good &= program.has_value();
    if (!program) continue;
    columns.columns_.emplace(
        member.key, Column{*std::move(program), KindsOf(member.value), StatesOf(member.value)});
  }
  if (!good) return std::nullopt;
  const Column* key_column = columns.Find(key);
  if (key_column == nullptr || !key_column->kinds.text) {
    fields.Error(key_column == nullptr ? listed : listed.Find(key), kColumnsCode,
                 absl::StrCat("the key column `", base::Escape(key), "` ",
                              key_column == nullptr ? "is not listed" : "cannot hold text"),
                 absl::StrCat("add `", base::Escape(key), ": {type: string}`"));
    return std::nullopt;
  }
  columns.required_.emplace_back(key);
  if (required.exists() && !LoadRequired(required, fields, columns)) return std::nullopt;
  return columns;
}

bool Columns::LoadRequired(json::Value required, Fields& fields, Columns& columns) {
  if (!fields.IsSequence(required, "`required`")) return false;
  bool good = true;
  for (json::Value column : required.items()) {
    if (!fields.IsText(column, "a column's name")) {
      good = false;
    } else if (columns.Find(column.string()) == nullptr) {
      fields.Unknown(column, "column", column.string(), columns.Names());
      good = false;
    } else if (std::find(columns.required_.begin(), columns.required_.end(), column.string()) ==
               columns.required_.end()) {
      columns.required_.emplace_back(column.string());
    }
  }
  return good;
}

}  // namespace tipstaff::engine
