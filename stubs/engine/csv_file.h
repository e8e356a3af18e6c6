// A CSV file of rows as the array of objects that it stands for, with the place of every cell.
//
//   id,status,n,note
//   t1,open,3,"""quoted"", with a comma"
//   t2,closed,,""
//
// The first record names the columns. A cell is what the column's schema says it can be: null,
// true, false or a number where it is written so, else text; a quoted cell is text wherever the
// column can hold text. Without `columns` all cells are text. An empty cell leaves the column out,
// a quoted one is the empty text.
#pragma once

#include <memory>
#include <optional>

#include "mediator/source/document.h"
#include "stubs/engine/columns.h"

namespace tipstaff::engine {

// Nothing after adding an error (S020). What a cell that does not fit its column holds is left to
// the check of the row. `columns` may be null.
std::optional<source::Document> ParseCsvFile(std::shared_ptr<const source::File> file,
                                             const Columns* columns,
                                             source::Diagnostics& diagnostics);

}  // namespace tipstaff::engine
