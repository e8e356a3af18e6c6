#include "stubs/engine/select.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/base/status.h"
#include "mediator/base/units.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "stubs/engine/cursor.h"
#include "stubs/engine/limits.h"
#include "stubs/engine/near_miss.h"

namespace tipstaff::engine {
namespace {

struct FoundRow {
  absl::string_view key;
  const json::Document* row;
};
using FoundRows = std::vector<FoundRow>;

// Kinds that have no order between them sort by their rank.
int Rank(json::Value cell) {
  switch (cell.kind()) {
    case json::Kind::kMissing:
      return 0;
    case json::Kind::kNull:
      return 1;
    case json::Kind::kBool:
      return cell.boolean() ? 3 : 2;
    case json::Kind::kInteger:
    case json::Kind::kUnsigned:
    case json::Kind::kDouble:
      return 4;
    case json::Kind::kString:
      return 5;
    case json::Kind::kArray:
    case json::Kind::kObject:
      return 6;
  }
  return 6;
}

bool IsBefore(json::Value a, json::Value b) {
  if (const int x = Rank(a), y = Rank(b); x != y) return x < y;
  return CompareValues(a, b).value_or(0) < 0;
}

// A row's place: the column that rows are ordered by, then its key, which no other row has.
bool IsBefore(const Select& select, const FoundRow& a, json::Value cell, absl::string_view key) {
  if (select.order) {
    const json::Value own = a.row->root().Find(select.order->column);
    const bool down = select.order->descending;
    if (down ? IsBefore(cell, own) : IsBefore(own, cell)) return true;
    if (down ? IsBefore(own, cell) : IsBefore(cell, own)) return false;
  }
  return a.key < key;
}

void Sort(const Order& order, FoundRows& rows) {
  std::stable_sort(rows.begin(), rows.end(), [&order](const FoundRow& a, const FoundRow& b) {
    const json::Value x = a.row->root().Find(order.column);
    const json::Value y = b.row->root().Find(order.column);
    return order.descending ? IsBefore(y, x) : IsBefore(x, y);
  });
}

void WriteRow(const Select& select, json::Value row, json::Builder& builder) {
  if (select.columns.empty()) {
    builder.Copy(row);
    return;
  }
  builder.StartObject();
  for (const std::string& column : select.columns) {
    if (const json::Value cell = row.Find(column); cell.exists()) builder.Field(column, cell);
  }
  builder.EndObject();
}

ActionResult Finish(json::Builder builder) {
  absl::StatusOr<json::Document> value = std::move(builder).Build();
  if (!value.ok()) return ActionResult::Broken(std::string(value.status().message()));
  return ActionResult::Ok(*std::move(value));
}

std::string NoteOf(const Select& select, const RowFilter& filter, CallScope& scope) {
  return RowNote(scope.definition().tables[select.table], scope.tables().rows(select.table),
                 filter);
}

ActionResult One(const Select& select, const FoundRows& found, const RowFilter& filter,
                 CallScope& scope) {
  if (found.empty()) {
    return ActionResult::Failed("not_found", select.not_found, NoteOf(select, filter, scope));
  }
  if (select.columns.empty()) return ActionResult::OfRow(*found.front().row, scope);
  json::Builder builder;
  WriteRow(select, found.front().row->root(), builder);
  absl::StatusOr<json::Document> row = std::move(builder).Build();
  if (!row.ok()) return ActionResult::Of(row.status());
  return ActionResult::OfRow(*row, scope);
}

// What goes beside the rows.
struct Around {
  size_t total = 0;         // rows of all pages
  std::string next_cursor;  // "" on the last page
};

ActionResult List(const Select& select, const FoundRows& found, const Around& around,
                  const CallScope& scope) {
  size_t bytes = 0;
  json::Builder builder(json::kMaxDepth + 1);
  const bool parts = scope.wants_parts();
  builder.StartObject().Key(parts ? "rows" : select.as).StartArray();
  for (const FoundRow& one : found) {
    bytes += json::Canonical(one.row->root()).size();
    if (bytes > kMaxResultBytes) {
      return ActionResult::Broken(absl::StrCat("the rows selected are larger than ",
                                               base::ShowBytes(kMaxResultBytes),
                                               ": give `select` a limit"));
    }
    WriteRow(select, one.row->root(), builder);
  }
  builder.EndArray();
  if (parts || (select.page && select.page->total)) {
    builder.Field("total", static_cast<uint64_t>(around.total));
  }
  if (!around.next_cursor.empty()) builder.Field("next_cursor", around.next_cursor);
  builder.EndObject();
  return Finish(std::move(builder));
}

// How many rows `count` asks for, `otherwise` where it refers to what the call does not have.
absl::StatusOr<size_t> CountOf(const std::optional<Template>& count, absl::string_view what,
                               int64_t least, size_t otherwise, CallScope& scope) {
  if (!count) return otherwise;
  std::vector<json::Document> storage;
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Value value, count->Resolve(scope, storage));
  if (!value.exists()) return otherwise;
  if (value.kind() != json::Kind::kInteger || value.integer() < least) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", what, "` is not a number of rows: give its argument a schema"));
  }
  return static_cast<size_t>(value.integer());
}

// Leaves the rows of the page that begins after the call's cursor.
ActionResult CutPage(const Select& select, CallScope& scope, FoundRows& rows, Around& around) {
  const auto size = CountOf(select.page->size, "size", 1, kDefaultPageRows, scope);
  if (!size.ok()) return ActionResult::Of(size.status());
  std::vector<json::Document> storage;
  const absl::StatusOr<json::Value> text = select.page->cursor.Resolve(scope, storage);
  if (!text.ok()) return ActionResult::Of(text.status());
  if (text->exists() && !text->is_null()) {
    const auto cursor =
        text->is_string() ? DecodeCursor(scope.tool(), text->string()) : std::nullopt;
    if (!cursor) {
      return ActionResult::Failed("invalid_cursor",
                                  "the cursor is not one that this tool gave out: take "
                                  "`next_cursor` as it is, or begin again without one");
    }
    const auto first = std::find_if(rows.begin(), rows.end(), [&](const FoundRow& row) {
      return row.key != cursor->key && !IsBefore(select, row, cursor->cell(), cursor->key);
    });
    rows.erase(rows.begin(), first);
  }
  if (rows.size() <= *size) return ActionResult::Ok({});
  rows.resize(*size);
  const json::Value cell =
      select.order ? rows.back().row->root().Find(select.order->column) : json::Value();
  around.next_cursor = EncodeCursor(scope.tool(), rows.back().key, cell);
  return ActionResult::Ok({});
}

FoundRows FindRows(const Rows& rows, const RowFilter& filter, absl::string_view key_column) {
  FoundRows found;
  if (const std::optional<absl::string_view> key = filter.OnlyKey(key_column)) {
    const auto row = rows.find(*key);
    if (row != rows.end() && filter.Matches(row->second.root())) {
      found.push_back({row->first, &row->second});
    }
    return found;
  }
  for (const auto& [key, row] : rows) {
    if (filter.Matches(row.root())) found.push_back({key, &row});
  }
  return found;
}

}  // namespace

ActionResult RunSelect(const Select& select, CallScope& scope) {
  const absl::StatusOr<RowFilter> filter = select.where.Bind(scope);
  if (!filter.ok()) return ActionResult::Broken(std::string(filter.status().message()));
  FoundRows found = FindRows(scope.tables().rows(select.table), *filter,
                             scope.definition().tables[select.table].key);
  if (select.order) Sort(*select.order, found);
  Around around{found.size(), ""};
  const auto limit = CountOf(select.limit, "limit", 0, found.size(), scope);
  if (!limit.ok()) return ActionResult::Of(limit.status());
  if (*limit < found.size()) found.resize(*limit);
  if (select.page) {
    ActionResult cut = CutPage(select, scope, found, around);
    if (cut.kind != ActionResult::Kind::kOk) return cut;
  }
  if (select.one) return One(select, found, *filter, scope);
  ActionResult list = List(select, found, around, scope);
  if (found.empty() && scope.for_author) list.note = NoteOf(select, *filter, scope);
  return list;
}

}  // namespace tipstaff::engine
