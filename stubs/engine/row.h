// The rows of a table.
#pragma once

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/json/document.h"

namespace tipstaff::engine {

// A row is an object. By key, in the order of the keys' bytes.
using Rows = std::map<std::string, json::Document, std::less<>>;

// The text that names `row` in a table whose key column is `column`; InvalidArgument when there is
// none. It points into the row.
absl::StatusOr<absl::string_view> KeyOf(json::Value row, absl::string_view column);

}  // namespace tipstaff::engine
