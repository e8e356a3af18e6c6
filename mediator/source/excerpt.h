// One line of a file as a terminal shows it, with a place in it to be underlined.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::source {

struct Excerpt {
  std::string text;  // escaped; "…" where something was cut off
  int indent = 0;    // terminal columns before the underlined part
  int width = 1;     // terminal columns of it
};

// `column` (from 1) and `length` are in code points of `line`, as in Span. Shows at most `columns`
// terminal columns around the place. Tabs become two spaces.
Excerpt ExcerptOf(absl::string_view line, int column, int length, int columns = 96);

}  // namespace tipstaff::source
