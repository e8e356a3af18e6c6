// What `tipstaff check --explain CODE` says. Each library that has diagnostic codes lists them in
// a table of its own; the command line looks through the tables.
#pragma once

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace tipstaff::source {

struct Explanation {
  // From literals. With the lengths at hand a table is a constant expression also under gcc's
  // undefined-behaviour sanitizer, which a string_view of a named array alone is not.
  template <size_t C, size_t T, size_t X>
  constexpr Explanation(const char (&code)[C], const char (&title)[T], const char (&text)[X])
      : code(code, C - 1), title(title, T - 1), text(text, X - 1) {}

  absl::string_view code;   // "Y009"
  absl::string_view title;  // one line, lower case: "a key is given twice"
  absl::string_view text;   // why it is refused and what to write, in sentences
};

using ExplanationTable = absl::Span<const Explanation>;

// The entry for `code` (letter case does not matter), or null.
const Explanation* FindExplanation(absl::string_view code,
                                   absl::Span<const ExplanationTable> tables);

// For a terminal: "Y009: a key is given twice", a blank line and the text wrapped to 80 columns.
std::string RenderExplanation(const Explanation& explanation);

}  // namespace tipstaff::source
