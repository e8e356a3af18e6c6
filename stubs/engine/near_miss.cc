#include "stubs/engine/near_miss.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/json/write.h"
#include "mediator/source/diagnostic.h"
#include "stubs/engine/fields.h"

namespace tipstaff::engine {
namespace {

constexpr size_t kShownColumns = 80;  // of a value
constexpr size_t kShownNames = 5;     // of many
constexpr size_t kMaxKeyBytes = 64;   // as NearestName has it

std::string Show(json::Value value) {
  return base::EscapeAndCut(json::Canonical(value), kShownColumns);
}

// "`a`, `b` and 3 more".
std::string ListSome(const std::vector<std::string>& names, size_t all) {
  std::vector<std::string> shown;
  for (const std::string& name : names) {
    if (shown.size() == kShownNames) break;
    shown.push_back(base::EscapeAndCut(name, kShownColumns));
  }
  if (all <= shown.size()) return ListNames(shown);
  std::string text;
  for (const std::string& name : shown) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", "`", name, "`");
  }
  return absl::StrCat(text, " and ", all - shown.size(), " more");
}

std::vector<std::string> KeysOf(const Rows& rows) {
  std::vector<std::string> keys;
  for (const auto& [key, row] : rows) {
    if (keys.size() == kMaxNearRows) break;
    keys.push_back(key);
  }
  return keys;
}

std::string NearestKey(const std::vector<std::string>& keys, absl::string_view key) {
  return key.size() > kMaxKeyBytes ? "" : source::NearestName(key, keys);
}

// The text that a row's key has to equal, or "".
absl::string_view WantedKey(const std::vector<RowFilter::Condition>& failing,
                            absl::string_view column) {
  for (const RowFilter::Condition& condition : failing) {
    if (condition.column == column && condition.comparison == Comparison::kEquals &&
        condition.operand.is_string()) {
      return condition.operand.string();
    }
  }
  return "";
}

struct Nearest {
  absl::string_view key;
  json::Value row;
  std::vector<RowFilter::Condition> failing;
};

// The fewest conditions count most, then that the key is right, then that it is like the right one.
std::optional<Nearest> FindNearest(const TableDefinition& table, const Rows& rows,
                                   const RowFilter& filter) {
  std::optional<Nearest> nearest;
  std::optional<std::string> like;  // the key most like the wanted one
  size_t fewest = SIZE_MAX, looked_at = 0;
  for (const auto& [key, row] : rows) {
    if (++looked_at > kMaxNearRows) break;
    std::vector<RowFilter::Condition> failing = filter.Failing(row.root());
    size_t distance = 3 * failing.size();
    if (const absl::string_view wanted = WantedKey(failing, table.key); !wanted.empty()) {
      if (!like) like = NearestKey(KeysOf(rows), wanted);
      distance += *like == key ? 1 : 2;
    }
    if (distance >= fewest) continue;
    fewest = distance;
    nearest = Nearest{key, row.root(), std::move(failing)};
  }
  return nearest;
}

std::string ShowFailing(const Nearest& nearest) {
  std::string text;
  for (const RowFilter::Condition& condition : nearest.failing) {
    const json::Value cell = nearest.row.Find(condition.column);
    absl::StrAppend(&text, text.empty() ? " " : " and ", ShowCondition(condition), " (it has ",
                    cell.exists() ? Show(cell) : "no such column", ")");
  }
  return text;
}

}  // namespace

std::string KeyNote(const TableDefinition& table, const Rows& rows, absl::string_view key) {
  const std::string start =
      absl::StrCat("`", table.name, "` has no row `", base::EscapeAndCut(key, kShownColumns), "`");
  if (rows.empty()) return absl::StrCat(start, ": the table is empty");
  const std::vector<std::string> keys = KeysOf(rows);
  const std::string like = NearestKey(keys, key);
  if (!like.empty()) return absl::StrCat(start, ": did you mean `", base::Escape(like), "`?");
  return absl::StrCat(start, ": it has ", ListSome(keys, rows.size()));
}

std::string RowNote(const TableDefinition& table, const Rows& rows, const RowFilter& filter) {
  if (rows.empty()) return absl::StrCat("the table `", table.name, "` is empty");
  const std::optional<Nearest> nearest = FindNearest(table, rows, filter);
  if (!nearest || nearest->failing.empty()) return "";
  const absl::string_view wanted = WantedKey(nearest->failing, table.key);
  if (nearest->failing.size() == 1 && !wanted.empty() &&
      NearestKey({std::string(nearest->key)}, wanted).empty()) {
    return KeyNote(table, rows, wanted);
  }
  return absl::StrCat("in `", table.name, "` the nearest row is `",
                      base::EscapeAndCut(nearest->key, kShownColumns), "`, which fails",
                      ShowFailing(*nearest));
}

}  // namespace tipstaff::engine
