// A stub's table for a terminal.
#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/base/utf8.h"
#include "mediator/cli/stub_reply.h"
#include "mediator/json/write.h"

namespace tipstaff::cli {
namespace {

constexpr size_t kCellColumns = 28, kLineColumns = 118, kShownRows = 50;

struct Column {
  std::string name;
  std::vector<std::string> cells;  // the name's own first
  size_t width = 0;

  void Add(std::string cell) {
    width = std::max(width, base::CountCodePoints(cell));
    cells.push_back(std::move(cell));
  }
};

std::string ShowCell(json::Value cell) {
  if (!cell.exists()) return "";
  return base::EscapeAndCut(cell.is_string() ? std::string(cell.string()) : json::Dump(cell),
                            kCellColumns);
}

std::vector<Column> ColumnsOf(json::Value rows) {
  std::vector<Column> columns;
  size_t looked_at = 0;
  for (json::Value row : rows.items()) {
    if (++looked_at > kShownRows) break;
    for (const json::Member& member : row.members()) {
      const bool there = std::any_of(columns.begin(), columns.end(), [&](const Column& column) {
        return column.name == member.key;
      });
      if (!there) columns.push_back({std::string(member.key), {}});
    }
  }
  for (Column& column : columns) {
    column.Add(base::EscapeAndCut(column.name, kCellColumns));
    size_t shown = 0;
    for (json::Value row : rows.items()) {
      if (++shown > kShownRows) break;
      column.Add(ShowCell(row.Find(column.name)));
    }
  }
  return columns;
}

// How many columns a line holds; at least one.
size_t FittingColumns(const std::vector<Column>& columns) {
  size_t width = 0, count = 0;
  for (const Column& column : columns) {
    width += column.width + 2;
    if (count > 0 && width > kLineColumns) break;
    ++count;
  }
  return count;
}

std::string LeftOut(const std::vector<Column>& columns, size_t fitting) {
  if (fitting == columns.size()) return "";
  std::string names;
  for (size_t i = fitting; i < columns.size(); ++i) {
    absl::StrAppend(&names, names.empty() ? "" : ", ", columns[i].cells[0]);
  }
  return absl::StrCat("columns not shown: ", names, "\n");
}

}  // namespace

std::string RenderRows(json::Value rows) {
  if (rows.size() == 0) return "no rows\n";
  const std::vector<Column> columns = ColumnsOf(rows);
  const size_t fitting = FittingColumns(columns);
  const size_t lines = std::min(rows.size(), kShownRows) + 1;
  std::string text;
  for (size_t line = 0; line < lines; ++line) {
    std::string out;
    for (size_t i = 0; i < fitting; ++i) {
      const std::string& cell = columns[i].cells[line];
      absl::StrAppend(&out, cell,
                      std::string(columns[i].width - base::CountCodePoints(cell) + 2, ' '));
    }
    out.erase(out.find_last_not_of(' ') + 1);
    absl::StrAppend(&text, out, "\n");
  }
  if (rows.size() > kShownRows) {
    absl::StrAppend(&text, "and ", rows.size() - kShownRows, " more rows\n");
  }
  return text + LeftOut(columns, fitting);
}

}  // namespace tipstaff::cli
