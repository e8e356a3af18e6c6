// What the rows of a table hold: a JSON Schema for each column.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "mediator/json/document.h"
#include "mediator/schema/program.h"

namespace tipstaff::engine {

class Fields;

// Which kinds of value a column may hold, as far as its `type`, `enum` or `const` says: what a cell
// of a CSV file can mean.
struct ColumnKinds {
  bool null = false, boolean = false, integer = false, number = false;
  bool text = false;
};

struct Column {
  schema::Program program;
  ColumnKinds kinds;
  // Where `enum` lists texts and nothing else (or `const` is a text): these.
  std::optional<std::vector<std::string>> states;
};

// Immutable. Rows have the columns that it lists and no others.
class Columns {
 public:
  // What keeps a row from being one of the table.
  struct Misfit {
    std::string column;
    std::string where;     // the column for messages, with the place within it: "`to` at `/0`"
    std::string expected;  // in words
    std::string found;     // in words, escaped and cut
  };

  // `columns` and `required` of a table whose key column is `key`; nothing where the table has
  // none, or after adding an error.
  static std::optional<Columns> Load(json::Value table, absl::string_view key, Fields& fields);

  // The first, in the order of the row's members; those that are missing come last.
  std::optional<Misfit> Check(json::Value row) const;
  // The same of one cell. The column may be one that is not listed.
  std::optional<Misfit> CheckCell(absl::string_view column, json::Value cell) const;

  const Column* Find(absl::string_view column) const;
  std::vector<std::string> Names() const;
  const std::vector<std::string>& required() const { return required_; }

 private:
  static bool LoadRequired(json::Value required, Fields& fields, Columns& columns);

  std::map<std::string, Column, std::less<>> columns_;
  std::vector<std::string> required_;  // with the key
};

// "column `status`: expected one of ..., found ..."
std::string ShowMisfit(const Columns::Misfit& misfit);

}  // namespace tipstaff::engine
