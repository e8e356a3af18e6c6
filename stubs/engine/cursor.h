// Where a page of rows ended: its last row's place in the order, so that rows that come or go
// between two pages neither repeat nor skip others.
#pragma once

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "mediator/json/document.h"

namespace tipstaff::engine {

// As agents see it: base64url of {"k":<key>,"v":<cell>} in canonical JSON ("v" only where the row
// has the column that the rows are ordered by) and the first 8 bytes of the BLAKE2b of the tool's
// name, a line feed and that text. It finds mistakes; it is no secret, and no authority: a forged
// one shows no row that the tool does not show anyway.
struct Cursor {
  std::string key;
  json::Document place;  // the object above

  json::Value cell() const { return place.root().Find("v"); }
};

std::string EncodeCursor(absl::string_view tool, absl::string_view key, json::Value cell);
// Nothing for a text that `tool` did not give out.
std::optional<Cursor> DecodeCursor(absl::string_view tool, absl::string_view text);

}  // namespace tipstaff::engine
