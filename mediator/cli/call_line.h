// A call of a stub's tool in one line:
//
//   add_note {"item_id": "item_0001", "text": "seen"}
//   add_note item_id=item_0001 text='seen twice' limit:=3
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/json/document.h"

namespace tipstaff::cli {

// Words as a shell splits them: blanks between, '...' as it stands, "..." with \" and \\, a
// backslash before any character. InvalidArgument for a quote that does not end.
absl::StatusOr<std::vector<std::string>> SplitWords(absl::string_view line);

// What stands after the tool's name: nothing, a JSON object, or `name=text` and `name:=JSON`.
// InvalidArgument names the word or the byte that is wrong.
absl::StatusOr<json::Document> ParseCallArguments(absl::string_view text);

// A JSON object. InvalidArgument names the byte that is wrong.
absl::StatusOr<json::Document> ParseObject(absl::string_view text);

}  // namespace tipstaff::cli
