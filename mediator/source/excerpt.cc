#include "mediator/source/excerpt.h"

#include <algorithm>
#include <vector>

#include "mediator/base/utf8.h"
#include "mediator/source/columns.h"
#include "mediator/source/printable.h"

namespace tipstaff::source {
namespace {

// A code point as shown.
struct Cell {
  std::string text;
  int width = 0;
};

Cell CellOf(absl::string_view bytes, const base::CodePoint& point) {
  if (bytes == "\t") return {"  ", 2};
  std::string text = Printable(bytes);
  // What was escaped is ASCII; what was not is the code point itself.
  const int width =
      point.valid && text == bytes ? ColumnsOf(point.value) : static_cast<int>(text.size());
  return {std::move(text), width};
}

std::vector<Cell> CellsOf(absl::string_view line) {
  std::vector<Cell> cells;
  while (!line.empty()) {
    const base::CodePoint point = base::FirstCodePoint(line);
    cells.push_back(CellOf(line.substr(0, point.bytes), point));
    line.remove_prefix(point.bytes);
  }
  return cells;
}

int WidthOf(const std::vector<Cell>& cells, size_t begin, size_t end) {
  int width = 0;
  for (size_t i = begin; i < end; ++i) width += cells[i].width;
  return width;
}

}  // namespace

Excerpt ExcerptOf(absl::string_view line, int column, int length, int columns) {
  const std::vector<Cell> cells = CellsOf(line);
  const size_t place = std::min<size_t>(std::max(column, 1) - 1, cells.size());
  const size_t place_end = std::min(place + std::max(length, 1), cells.size());
  size_t begin = 0;
  size_t end = cells.size();
  if (WidthOf(cells, begin, end) > columns) {
    // A third of the room before the place, the rest for it and what follows; room that is not
    // needed behind goes to the front.
    const int room = columns - 2;
    begin = place;
    int used = 0;
    while (begin > 0 && used + cells[begin - 1].width <= room / 3) used += cells[--begin].width;
    end = begin;
    used = 0;
    while (end < cells.size() && used + cells[end].width <= room) used += cells[end++].width;
    while (begin > 0 && used + cells[begin - 1].width <= room) used += cells[--begin].width;
  }
  Excerpt excerpt;
  if (begin > 0) excerpt.text = "…";
  for (size_t i = begin; i < end; ++i) excerpt.text += cells[i].text;
  if (end < cells.size()) excerpt.text += "…";
  excerpt.indent = (begin > 0 ? 1 : 0) + WidthOf(cells, begin, place);
  excerpt.width = std::max(1, WidthOf(cells, place, std::min(place_end, end)));
  return excerpt;
}

}  // namespace tipstaff::source
