// Strict parsing of JSON bytes that nobody vouches for.
#pragma once

#include <cstddef>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/json/document.h"

namespace tipstaff::json {

// How deep arrays and objects may nest: calls, results and files alike.
inline constexpr int kMaxDepth = 32;

struct ParseOptions {
  int max_depth = kMaxDepth;
};

// One JSON text (RFC 8259), with the choices that leave two readers no room to disagree:
// InvalidArgument for a duplicate key (compared after unescaping), NUL in a key, a lone surrogate,
// invalid UTF-8, nesting over `max_depth`, an integer outside int64 and uint64, a number that
// overflows a double or, being no such integer, would be rounded to one, or anything after the
// value. Numbers are exact: 1.0 and 1e0 are the integer 1; 9007199254740993 stays as it is. The
// message names the byte offset and never quotes the text.
absl::StatusOr<Document> Parse(absl::string_view bytes, const ParseOptions& options = {});

// For literals in code and tests: ends the process when `text` does not parse.
Document MustParse(absl::string_view text);

}  // namespace tipstaff::json
