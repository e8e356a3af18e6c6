#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "stubs/engine/codes.h"
#include "stubs/engine/load.h"
#include "stubs/engine/lua_script.h"

namespace tipstaff::engine {
namespace {

constexpr absl::string_view kActions[] = {"select", "insert", "update", "delete", "lua"};

class ActionLoader {
 public:
  ActionLoader(json::Value input_schema, Fields& fields, StubSources& sources,
               const Definition& definition)
      : fields_(fields),
        sources_(sources),
        definition_(definition),
        ids_(definition.IdNames()),
        names_{ids_, input_schema} {}

  std::optional<Action> Load(absl::string_view kind, json::Value value) {
    if (kind == "select") return LoadSelect(value);
    if (kind == "insert") return LoadInsert(value);
    if (kind == "update") return LoadUpdate(value);
    if (kind == "delete") return LoadDelete(value);
    return LoadScript(value);
  }

 private:
  std::optional<size_t> Table(json::Value at) {
    if (!fields_.IsText(at, "a table's name")) return std::nullopt;
    const std::optional<size_t> table = definition_.FindTable(at.string());
    if (!table) fields_.Unknown(at, "table", at.string(), definition_.TableNames());
    return table;
  }

  // The table of an update or a delete.
  std::optional<size_t> ChangeableTable(json::Value at) {
    const std::optional<size_t> table = Table(at);
    if (!table || !definition_.tables[*table].capture) return table;
    fields_.Error(at, kEffectCode,
                  absl::StrCat("table `", definition_.tables[*table].name,
                               "` captures: its rows cannot be changed or deleted"));
    return std::nullopt;
  }

  // The text of an optional key; nothing after adding an error.
  std::optional<std::string> OptionalText(json::Value mapping, absl::string_view key,
                                          absl::string_view otherwise) {
    const json::Value value = mapping.Find(key);
    if (!value.exists()) return std::string(otherwise);
    if (!fields_.IsText(value, absl::StrCat("`", key, "`"))) return std::nullopt;
    return std::string(value.string());
  }

  std::optional<std::string> NotFound(json::Value mapping, size_t table) {
    return OptionalText(mapping, "not_found",
                        absl::StrCat("not found in ", definition_.tables[table].name));
  }

  void WarnOfColumn(size_t table, absl::string_view column, json::Value at) {
    const Rows& rows = definition_.tables[table].rows;
    std::set<std::string> columns;
    for (const auto& [key, row] : rows) {
      for (const json::Member& member : row.root().members()) {
        columns.emplace(member.key);
      }
    }
    if (rows.empty() || columns.contains(std::string(column))) return;
    const std::vector<std::string> names(columns.begin(), columns.end());
    fields_.Warning(at, kColumnCode,
                    absl::StrCat("no row of `", definition_.tables[table].name,
                                 "` has the column `", base::Escape(column), "`"),
                    Suggest(column, names));
  }

  bool LoadOrder(json::Value value, Select& select) {
    if (!value.exists()) return true;
    if (!fields_.IsText(value, "`order`")) return false;
    absl::string_view column = value.string();
    const bool descending = absl::StartsWith(column, "-");
    if (descending) column.remove_prefix(1);
    if (column.empty()) {
      fields_.Error(value, kValueCode, "`order` must name a column");
      return false;
    }
    WarnOfColumn(select.table, column, value);
    select.order = Order{std::string(column), descending};
    return true;
  }

  bool LoadLimit(json::Value value, Select& select) {
    if (!value.exists()) return true;
    if (!value.is_string() && !fields_.Integer(value, "`limit`", 1, 100'000)) return false;
    select.limit = Template::Load(value, names_, fields_);
    return select.limit.has_value();
  }

  bool LoadColumns(json::Value value, Select& select) {
    if (!value.exists()) return true;
    if (!fields_.IsSequence(value, "`columns`")) return false;
    for (json::Value column : value.items()) {
      if (!fields_.IsText(column, "a column")) return false;
      WarnOfColumn(select.table, column.string(), column);
      select.columns.emplace_back(column.string());
    }
    return true;
  }

  bool LoadWhere(json::Value value, Select& select) {
    if (!value.exists()) return true;
    std::optional<Where> where = Where::Load(value, names_, fields_);
    if (!where) return false;
    for (const auto& [column, at] : where->columns()) WarnOfColumn(select.table, column, at);
    select.where = *std::move(where);
    return true;
  }

  // `one` returns a row itself, else the rows are the member `as` of the result.
  bool LoadShape(json::Value value, Select& select) {
    if (const json::Value one = value.Find("one"); one.exists()) {
      const std::optional<bool> flag = fields_.Bool(one, "`one`");
      if (!flag) return false;
      select.one = *flag;
    }
    const absl::string_view useless = select.one ? "as" : "not_found";
    if (const json::Value key = value.Find(useless); key.exists()) {
      fields_.ErrorAtKey(key, kActionCode,
                         absl::StrCat("`", useless, "` says nothing ",
                                      select.one ? "beside" : "without", " `one: true`"));
      return false;
    }
    std::optional<std::string> as =
        OptionalText(value, "as", definition_.tables[select.table].name);
    std::optional<std::string> not_found = NotFound(value, select.table);
    if (!as || !not_found) return false;
    select.as = *std::move(as);
    select.not_found = *std::move(not_found);
    return true;
  }

  std::optional<Action> LoadSelect(json::Value value) {
    if (!fields_.IsMapping(value, "`select`",
                           {"from", "where", "order", "limit", "one", "not_found", "as", "columns"},
                           {"from"})) {
      return std::nullopt;
    }
    const std::optional<size_t> table = Table(value.Find("from"));
    if (!table) return std::nullopt;
    Select select;
    select.table = *table;
    bool good = LoadWhere(value.Find("where"), select);
    good &= LoadOrder(value.Find("order"), select);
    good &= LoadLimit(value.Find("limit"), select);
    good &= LoadColumns(value.Find("columns"), select);
    good &= LoadShape(value, select);
    if (!good) return std::nullopt;
    return select;
  }

  std::optional<Action> LoadInsert(json::Value value) {
    if (!fields_.IsMapping(value, "`insert`", {"into", "row"}, {"into", "row"})) {
      return std::nullopt;
    }
    const std::optional<size_t> table = Table(value.Find("into"));
    const json::Value row = value.Find("row");
    std::optional<Template> loaded = Template::Load(row, names_, fields_);
    if (!table || !loaded || !fields_.IsObject(row, "`row`")) return std::nullopt;
    const std::string& key = definition_.tables[*table].key;
    if (!row.Find(key).exists()) {
      fields_.Error(row, kRowCode, absl::StrCat("`row` needs the key column `", key, "`"));
      return std::nullopt;
    }
    return Insert{*table, *std::move(loaded)};
  }

  std::optional<Action> LoadUpdate(json::Value value) {
    if (!fields_.IsMapping(value, "`update`", {"table", "key", "set", "not_found"},
                           {"table", "key", "set"})) {
      return std::nullopt;
    }
    const std::optional<size_t> table = ChangeableTable(value.Find("table"));
    std::optional<Template> key = Template::Load(value.Find("key"), names_, fields_);
    std::optional<Template> set = Template::Load(value.Find("set"), names_, fields_);
    if (!table || !key || !set || !fields_.IsObject(value.Find("set"), "`set`")) {
      return std::nullopt;
    }
    std::optional<std::string> not_found = NotFound(value, *table);
    if (!not_found) return std::nullopt;
    return Update{*table, *std::move(key), *std::move(set), *std::move(not_found)};
  }

  std::optional<Action> LoadDelete(json::Value value) {
    if (!fields_.IsMapping(value, "`delete`", {"table", "key", "not_found"}, {"table", "key"})) {
      return std::nullopt;
    }
    const std::optional<size_t> table = ChangeableTable(value.Find("table"));
    std::optional<Template> key = Template::Load(value.Find("key"), names_, fields_);
    if (!table || !key) return std::nullopt;
    std::optional<std::string> not_found = NotFound(value, *table);
    if (!not_found) return std::nullopt;
    return Delete{*table, *std::move(key), *std::move(not_found)};
  }

  std::optional<Action> LoadScript(json::Value value) {
    if (!fields_.IsText(value, "`lua`")) return std::nullopt;
    std::shared_ptr<const source::File> file = sources_.Open(value, fields_);
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
    sources_.diagnostics().push_back(std::move(diagnostic));
    return std::nullopt;
  }

  Fields& fields_;
  StubSources& sources_;
  const Definition& definition_;
  const std::vector<std::string> ids_;
  const TemplateNames names_;
};

}  // namespace

std::optional<Action> LoadAction(json::Value tool, call::Effect effect, json::Value input_schema,
                                 Fields& fields, StubSources& sources,
                                 const Definition& definition) {
  absl::string_view kind;
  for (const absl::string_view name : kActions) {
    if (!tool.Find(name).exists()) continue;
    if (!kind.empty()) {
      fields.ErrorAtKey(tool.Find(name), kActionCode,
                        absl::StrCat("both `", kind, "` and `", name, "`"),
                        "a tool has exactly one of select, insert, update, delete and lua");
      return std::nullopt;
    }
    kind = name;
  }
  if (kind.empty()) {
    fields.Error(tool, kActionCode, "nothing says what the tool does",
                 "it needs one of select, insert, update, delete and lua");
    return std::nullopt;
  }
  const json::Value value = tool.Find(kind);
  if (effect == call::Effect::kRead && kind != "select" && kind != "lua") {
    fields.ErrorAtKey(value, kEffectCode,
                      absl::StrCat("a tool that reads cannot have `", kind, "`"),
                      "say `effect: write`");
    return std::nullopt;
  }
  return ActionLoader(input_schema, fields, sources, definition).Load(kind, value);
}

}  // namespace tipstaff::engine
