#include "stubs/engine/columns.h"

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "stubs/engine/fields.h"

namespace tipstaff::engine {

const Column* Columns::Find(absl::string_view column) const {
  const auto found = columns_.find(column);
  return found == columns_.end() ? nullptr : &found->second;
}

std::vector<std::string> Columns::Names() const {
  std::vector<std::string> names;
  for (const auto& [name, column] : columns_) names.push_back(name);
  return names;
}

std::optional<Columns::Misfit> Columns::CheckCell(absl::string_view column,
                                                  json::Value cell) const {
  const std::string shown = absl::StrCat("`", base::EscapeAndCut(column, 64), "`");
  const Column* known = Find(column);
  if (known == nullptr) {
    const std::string suggestion = Suggest(column, Names());
    return Misfit{std::string(column), shown, absl::StrCat("one of ", ListNames(Names())),
                  absl::StrCat("a column that is not listed",
                               suggestion.empty() ? "" : absl::StrCat(": ", suggestion))};
  }
  std::optional<schema::Failure> failure = known->program.Check(cell);
  if (!failure) return std::nullopt;
  return Misfit{std::string(column),
                failure->pointer.empty()
                    ? shown
                    : absl::StrCat(shown, " at `", base::EscapeAndCut(failure->pointer, 120), "`"),
                std::move(failure->expected), std::move(failure->found)};
}

std::optional<Columns::Misfit> Columns::Check(json::Value row) const {
  for (const json::Member& member : row.members()) {
    if (auto misfit = CheckCell(member.key, member.value)) return misfit;
  }
  for (const std::string& column : required_) {
    if (row.Find(column).exists()) continue;
    return Misfit{column, absl::StrCat("`", base::Escape(column), "`"), "a value", "none"};
  }
  return std::nullopt;
}

std::string ShowMisfit(const Columns::Misfit& misfit) {
  return absl::StrCat("column ", misfit.where, ": expected ", misfit.expected, ", found ",
                      misfit.found);
}

}  // namespace tipstaff::engine
