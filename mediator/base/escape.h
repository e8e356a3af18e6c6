// Text that came from a guest, a tool or a file is escaped before a terminal or a log sees it.
#pragma once

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::base {

// Whether the code point `c` acts on a terminal or draws nothing: controls, line and paragraph
// separators, bidirectional and other format characters, and what Unicode calls default-ignorable.
bool ActsOrHides(uint32_t c);

// `text` with everything that could act on a terminal or mislead a reader written out: control
// characters (C0, DEL, C1), bidirectional and other invisible format characters, line and
// paragraph separators and invalid UTF-8 become \n, \xNN or \u{NNNN}; a backslash becomes \\.
std::string Escape(absl::string_view text);

// The same of a JSON text, which means what it meant: what acts or hides becomes \uNNNN, as JSON
// itself writes it, and nothing else changes.
std::string EscapeInJson(absl::string_view json);

// Escape(), cut to `columns` code points with a final "…" where something was left out.
std::string EscapeAndCut(absl::string_view text, size_t columns);

// Escaped text with each character outside ASCII, but for a final "…" (in backticks too), written
// out as \u{NNNN}: for names, in which a letter of another script would mislead.
std::string WriteOutNonAscii(absl::string_view escaped);

}  // namespace tipstaff::base
