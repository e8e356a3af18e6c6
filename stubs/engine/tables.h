// The rows of a state, with one savepoint: the changes of the call that is being made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/base/digest.h"
#include "mediator/json/document.h"
#include "stubs/engine/row.h"
#include "stubs/engine/stub.h"

namespace tipstaff::engine {

struct TableDefinition;

// Rows are JSON objects in the order of their keys' bytes. Tables are named by their index in the
// definition. Not thread-safe.
class Tables {
 public:
  // `definitions` must outlive it. Starts with the fixtures' rows.
  explicit Tables(const std::vector<TableDefinition>& definitions);

  size_t size() const { return tables_.size(); }
  const Rows& rows(size_t table) const { return tables_[table].rows; }
  // The row, or null when there is none. Valid until the next change.
  const json::Document* Find(size_t table, absl::string_view key) const;
  // Whether any table has a row of this key.
  bool HasKey(absl::string_view key) const;

  // The row's key is the text in the table's key column. InvalidArgument: not an object, no such
  // text, or not what the table's columns hold; AlreadyExists; ResourceExhausted: the tables hold
  // too much.
  absl::Status Insert(size_t table, json::Document row);
  // Sets the members of `changes` (an object) and returns the new row. NotFound; InvalidArgument:
  // it would change the key, or hold what the columns do not; FailedPrecondition: the table
  // captures, its rows stay as they are.
  absl::StatusOr<json::Document> Update(size_t table, absl::string_view key, json::Value changes);
  absl::Status Delete(size_t table, absl::string_view key);

  // What was done since the last Commit() or Rollback(), in order.
  bool changed() const { return !journal_.empty(); }
  std::vector<Change> Changes() const;
  void Commit() { journal_.clear(); }
  void Rollback();

  // Over keys and rows; equal contents have equal digests.
  base::Digest DigestOf(size_t table) const;

 private:
  struct Table {
    Rows rows;
    mutable std::optional<base::Digest> digest;  // of `rows`, once asked for
  };
  struct Entry {
    size_t table;
    std::string key;
    absl::string_view operation;
    std::optional<json::Document> before, after;
  };

  // Whether the row may be updated or deleted.
  absl::Status CheckChangeable(size_t table, absl::string_view key) const;
  // Whether the table's columns take the row.
  absl::Status CheckColumns(size_t table, absl::string_view key, json::Value row) const;
  absl::Status Put(size_t table, absl::string_view key, absl::string_view operation,
                   json::Document document);

  const std::vector<TableDefinition>& definitions_;
  std::vector<Table> tables_;
  std::vector<Entry> journal_;
  size_t bytes_ = 0;  // of all rows
};

}  // namespace tipstaff::engine
