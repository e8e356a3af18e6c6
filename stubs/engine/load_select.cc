#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "stubs/engine/action_loader.h"
#include "stubs/engine/codes.h"
#include "stubs/engine/limits.h"

namespace tipstaff::engine {
namespace {

bool LoadOrder(json::Value value, ActionLoader& loader, Select& select) {
  if (!value.exists()) return true;
  if (!loader.fields().IsText(value, "`order`")) return false;
  absl::string_view column = value.string();
  const bool descending = absl::StartsWith(column, "-");
  if (descending) column.remove_prefix(1);
  if (column.empty()) {
    loader.fields().Error(value, kValueCode, "`order` must name a column");
    return false;
  }
  select.order = Order{std::string(column), descending};
  return loader.CheckColumn(select.table, column, value);
}

// A number of rows, or a reference to one.
bool LoadCount(json::Value value, absl::string_view what, ActionLoader& loader,
               std::optional<Template>& count) {
  if (!value.exists()) return true;
  if (!value.is_string() && !loader.fields().Integer(value, what, 1, kMaxSelectedRows)) {
    return false;
  }
  count = Template::Load(value, loader.names(), loader.fields());
  return count.has_value();
}

bool LoadColumns(json::Value value, ActionLoader& loader, Select& select) {
  if (!value.exists()) return true;
  if (!loader.fields().IsSequence(value, "`columns`")) return false;
  bool good = true;
  for (json::Value column : value.items()) {
    if (!loader.fields().IsText(column, "a column")) return false;
    good &= loader.CheckColumn(select.table, column.string(), column);
    select.columns.emplace_back(column.string());
  }
  return good;
}

bool LoadWhere(json::Value value, ActionLoader& loader, Select& select) {
  if (!value.exists()) return true;
  std::optional<Where> where = Where::Load(value, loader.names(), loader.fields());
  if (!where) return false;
  bool good = true;
  for (const auto& [column, at] : where->columns()) {
    good &= loader.CheckColumn(select.table, column, at);
  }
  select.where = *std::move(where);
  return good;
}

bool LoadPage(json::Value value, ActionLoader& loader, Select& select) {
  if (!value.exists()) return true;
  Fields& fields = loader.fields();
  if (!fields.IsMapping(value, "`page`", {"size", "cursor", "total"}, {"cursor"})) return false;
  Page page;
  if (!LoadCount(value.Find("size"), "`size`", loader, page.size)) return false;
  const json::Value cursor = value.Find("cursor");
  if (!fields.IsText(cursor, "`cursor`")) return false;
  if (!absl::StartsWith(cursor.string(), "$args.")) {
    fields.Error(cursor, kValueCode, "`cursor` must refer to an argument",
                 "for instance $args.cursor");
    return false;
  }
  std::optional<Template> loaded = Template::Load(cursor, loader.names(), fields);
  if (!loaded) return false;
  page.cursor = *std::move(loaded);
  if (const json::Value total = value.Find("total"); total.exists()) {
    const std::optional<bool> flag = fields.Bool(total, "`total`");
    if (!flag) return false;
    page.total = *flag;
  }
  select.page = std::move(page);
  return true;
}

// The members that a page has beside its rows are not theirs.
bool CheckPage(json::Value value, Fields& fields, const Select& select) {
  if (!select.page) return true;
  for (const char* other : {"limit", "one"}) {
    if (!value.Find(other).exists()) continue;
    fields.ErrorAtKey(value.Find("page"), kActionCode,
                      absl::StrCat("both `page` and `", other, "`"));
    return false;
  }
  if (select.as != "next_cursor" && (select.as != "total" || !select.page->total)) return true;
  fields.Error(value.Find("as"), kActionCode,
               absl::StrCat("`", select.as, "` is another member of a page"));
  return false;
}

// `one` returns a row itself, else the rows are the member `as` of the result.
bool LoadShape(json::Value value, ActionLoader& loader, Select& select) {
  Fields& fields = loader.fields();
  if (const json::Value one = value.Find("one"); one.exists()) {
    const std::optional<bool> flag = fields.Bool(one, "`one`");
    if (!flag) return false;
    select.one = *flag;
  }
  const absl::string_view useless = select.one ? "as" : "not_found";
  if (const json::Value key = value.Find(useless); key.exists()) {
    fields.ErrorAtKey(key, kActionCode,
                      absl::StrCat("`", useless, "` says nothing ",
                                   select.one ? "beside" : "without", " `one: true`"));
    return false;
  }
  std::optional<std::string> as =
      loader.OptionalText(value, "as", loader.definition_of(select.table).name);
  std::optional<std::string> not_found = loader.NotFound(value, select.table);
  if (!as || !not_found) return false;
  select.as = *std::move(as);
  select.not_found = *std::move(not_found);
  return true;
}

}  // namespace

std::optional<Action> LoadSelect(json::Value value, ActionLoader& loader) {
  if (!loader.fields().IsMapping(
          value, "`select`",
          {"from", "where", "order", "limit", "one", "not_found", "as", "columns", "page"},
          {"from"})) {
    return std::nullopt;
  }
  const std::optional<size_t> table = loader.Table(value.Find("from"));
  if (!table) return std::nullopt;
  Select select;
  select.table = *table;
  bool good = LoadWhere(value.Find("where"), loader, select);
  good &= LoadOrder(value.Find("order"), loader, select);
  good &= LoadCount(value.Find("limit"), "`limit`", loader, select.limit);
  good &= LoadColumns(value.Find("columns"), loader, select);
  good &= LoadPage(value.Find("page"), loader, select);
  good &= LoadShape(value, loader, select);
  good = good && CheckPage(value, loader.fields(), select);
  if (!good) return std::nullopt;
  return select;
}

}  // namespace tipstaff::engine
