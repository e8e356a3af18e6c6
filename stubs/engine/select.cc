#include "stubs/engine/select.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "mediator/base/units.h"
#include "mediator/json/builder.h"
#include "mediator/json/write.h"
#include "stubs/engine/limits.h"
#include "stubs/engine/near_miss.h"

namespace tipstaff::engine {
namespace {

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

void Sort(const Order& order, std::vector<const json::Document*>& rows) {
  std::stable_sort(rows.begin(), rows.end(),
                   [&order](const json::Document* a, const json::Document* b) {
                     const json::Value x = a->root().Find(order.column);
                     const json::Value y = b->root().Find(order.column);
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

ActionResult One(const Select& select, const std::vector<const json::Document*>& found,
                 const RowFilter& filter, CallScope& scope) {
  if (found.empty()) {
    return ActionResult::Failed("not_found", select.not_found, NoteOf(select, filter, scope));
  }
  if (select.columns.empty()) return ActionResult::Ok(*found.front());
  json::Builder builder;
  WriteRow(select, found.front()->root(), builder);
  return Finish(std::move(builder));
}

ActionResult List(const Select& select, const std::vector<const json::Document*>& found) {
  size_t bytes = 0;
  json::Builder builder;
  builder.StartObject().Key(select.as).StartArray();
  for (const json::Document* row : found) {
    bytes += json::Canonical(row->root()).size();
    if (bytes > kMaxResultBytes) {
      return ActionResult::Broken(absl::StrCat("the rows selected are larger than ",
                                               base::ShowBytes(kMaxResultBytes),
                                               ": give `select` a limit"));
    }
    WriteRow(select, row->root(), builder);
  }
  builder.EndArray().EndObject();
  return Finish(std::move(builder));
}

}  // namespace

ActionResult RunSelect(const Select& select, CallScope& scope) {
  const absl::StatusOr<RowFilter> filter = select.where.Bind(scope);
  if (!filter.ok()) return ActionResult::Broken(std::string(filter.status().message()));
  const Rows& rows = scope.tables().rows(select.table);
  std::vector<const json::Document*> found;
  for (const auto& [key, row] : rows) {
    if (filter->Matches(row.root())) found.push_back(&row);
  }
  if (select.order) Sort(*select.order, found);
  if (select.limit) {
    std::vector<json::Document> storage;
    const absl::StatusOr<json::Value> limit = select.limit->Resolve(scope, storage);
    if (!limit.ok()) return ActionResult::Broken(std::string(limit.status().message()));
    if (limit->exists() && (limit->kind() != json::Kind::kInteger || limit->integer() < 0)) {
      return ActionResult::Broken("`limit` is not a number of rows: give its argument a schema");
    }
    if (limit->exists() && static_cast<uint64_t>(limit->integer()) < found.size()) {
      found.resize(limit->integer());
    }
  }
  if (select.one) return One(select, found, *filter, scope);
  ActionResult list = List(select, found);
  if (found.empty() && scope.for_author) list.note = NoteOf(select, *filter, scope);
  return list;
}

}  // namespace tipstaff::engine
