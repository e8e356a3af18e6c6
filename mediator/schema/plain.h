// Text that stays one word's worth of data on a command line, for the keyword `plain: true`.
//
// A shell, cmd.exe, PowerShell or an option parser that such text reaches finds nothing to act on.
// Refused:
//   - control characters, line feed and tab among them; characters that draw nothing or turn the
//     text around; invalid UTF-8
//   - anywhere: ; & | < > ( ) { } [ ] $ ` \ " ' * ? ! ~ # % ^ =
//   - at the beginning of a word (of the text or after white space): - + / @ and the dashes that
//     PowerShell takes for `-` (U+2010 to U+2015, U+2212, U+FE58, U+FE63)
//   - the quotes U+2018 to U+201F, which PowerShell takes for `'` and `"`
//   - characters of another width or form that become one of these (AsciiForms())
// Left: letters and digits of all scripts, spaces, and . , : _ - + / @ within words. Empty text
// passes; ask for `minLength: 1` where it must not.
#pragma once

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::schema {

// Nothing when `text` is plain; else what is wrong, in words: the first thing in it that is
// refused.
std::optional<std::string> PlainProblem(absl::string_view text);

}  // namespace tipstaff::schema
