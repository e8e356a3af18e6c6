// Which rows a call is about.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "mediator/json/document.h"
#include "stubs/engine/template.h"

namespace tipstaff::engine {

enum class Comparison {
  kEquals,    // `status: open` or `status: {equals: open}`
  kContains,  // a text holds it (ASCII letters of either case), or an item of a list does or equals
  kIn,        // it is one of a list
  kAtLeast,   // numbers by value, texts by their bytes (RFC 3339 times in UTC sort that way)
  kAtMost,
};

// Conditions with their values. Values point into documents that it keeps, or into those of the
// call it was bound for.
class RowFilter {
 public:
  struct Condition {
    std::string column;
    Comparison comparison = Comparison::kEquals;
    json::Value operand;
  };

  // From what a script passes to find(): every value stands for itself. InvalidArgument says what
  // is wrong.
  static absl::StatusOr<RowFilter> Parse(json::Document where);

  // One of the groups holds as a whole; a filter without groups lets every row pass.
  bool Matches(json::Value row) const;

  // The one key that rows which pass have in the column `key_column`, where that can be told.
  std::optional<absl::string_view> OnlyKey(absl::string_view key_column) const;

  // Of the group that `row` comes nearest to: the conditions that fail.
  std::vector<Condition> Failing(json::Value row) const;

 private:
  friend class Where;
  absl::Status Add(std::vector<Condition>& group, std::string column, Comparison comparison,
                   json::Value operand);

  std::vector<std::vector<Condition>> groups_;
  bool passes_nothing_ = false;  // no group can hold
  std::vector<json::Document> documents_;
};

// Conditions as stub.yaml has them: a mapping whose entries must all hold, or a sequence of
// mappings of which one must hold.
class Where {
 public:
  Where() = default;  // every row
  static std::optional<Where> Load(json::Value value, const TemplateNames& names, Fields& fields);

  // With the call's values. A condition whose value refers to an argument that was not given is
  // left out; one that refers to a binding that the run does not have holds for no row, since
  // bindings are what keeps runs apart.
  absl::StatusOr<RowFilter> Bind(CallScope& scope) const;

  // Columns with the values that name them, for checks at load.
  const std::vector<std::pair<std::string, json::Value>>& columns() const { return columns_; }

 private:
  struct Condition {
    std::string column;
    Comparison comparison = Comparison::kEquals;
    Template operand;
  };
  static bool LoadGroup(json::Value value, const TemplateNames& names, Fields& fields,
                        Where& where);

  std::vector<std::vector<Condition>> groups_;
  std::vector<std::pair<std::string, json::Value>> columns_;
};

// Where `part` is in `text`, npos for nowhere; linear whatever the two are.
size_t FindText(absl::string_view text, absl::string_view part);

// Whether `text` has `part` in it, ASCII letters of either case.
bool HoldsText(absl::string_view text, absl::string_view part);

// -1, 0 or 1 for two numbers or two texts (by their bytes), nothing for what has no order.
std::optional<int> CompareValues(json::Value a, json::Value b);

// What a condition wants, in words: "`folder` equals \"inbox\"".
std::string ShowCondition(const RowFilter::Condition& condition);

}  // namespace tipstaff::engine
