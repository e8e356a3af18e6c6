#include "stubs/engine/row.h"

#include "absl/strings/str_cat.h"

namespace tipstaff::engine {

absl::StatusOr<absl::string_view> KeyOf(json::Value row, absl::string_view column) {
  if (!row.is_object()) {
    return absl::InvalidArgumentError(
        absl::StrCat("a row must be an object, not ", json::KindName(row.kind())));
  }
  const json::Value key = row.Find(column);
  if (!key.is_string() || key.string().empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("a row needs text in its key column `", column, "`; found ",
                     key.is_string() ? "an empty text" : json::KindName(key.kind())));
  }
  return key.string();
}

}  // namespace tipstaff::engine
