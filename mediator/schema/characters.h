// Characters outside ASCII that some reader turns into ASCII: by compatibility normalization
// (Unicode NFKC), by case folding, or by the conversion to a code page that Windows makes.
#pragma once

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::schema {

// White space of any kind: ASCII's, and Unicode's Zs, Zl and Zp.
bool IsSpace(uint32_t c);

// Full stops, slashes, backslashes and colons of other widths, and the leaders of one, two and
// three dots.
bool BecomesPathSyntax(uint32_t c);

// The ASCII character that `c` becomes, where it is one: the full-width forms, and what has a
// canonical equivalent in ASCII (U+037E is `;`, U+1FEF is a back-quote, U+212A is K).
// `c` itself otherwise.
uint32_t AsciiTwin(uint32_t c);

// `text` for comparing names without regard to case, as the file systems that fold it do: ASCII in
// lower case, the twins of letters as that letter, ſ as s, ß as ss, ı and İ as i, ﬁ and the other
// ligatures as their letters. All else, invalid UTF-8 too, as it is.
std::string FoldName(absl::string_view text);

}  // namespace tipstaff::schema
