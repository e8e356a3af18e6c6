// Values to text.
#pragma once

#include <string>

#include "mediator/json/document.h"

namespace tipstaff::json {

// Compact, members in the order of the source.
std::string Dump(Value value);

// The canonical form: compact, members sorted by the bytes of their keys, integers as digits,
// other numbers as the shortest text that reads back as the same double, strings escaped only
// where JSON requires it. Equal values have equal canonical forms, and parsing one gives it back.
std::string Canonical(Value value);

// For people: indented by two spaces.
std::string DumpIndented(Value value);

// `text` as a JSON string, quotes included; what is not UTF-8 in it becomes U+FFFD, so that the
// result can be read back whatever it came from.
std::string Quote(absl::string_view text);
void AppendQuoted(absl::string_view text, std::string& out);

}  // namespace tipstaff::json
