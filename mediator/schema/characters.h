// Characters outside ASCII that some reader turns into ASCII: by compatibility normalization
// (Unicode NFKC), by case folding, or by the conversion to a code page that Windows makes.
#pragma once

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::schema {

// White space of any kind: ASCII's, and Unicode's Zs, Zl and Zp.
bool IsSpace(uint32_t c);

// The ASCII characters among what `c` becomes for some reader, in order: `c` itself if it is one;
// those of its NFKC form (U+FF04 is `$`, U+2026 is `...`, U+2100 holds `/`); the one that Windows
// puts in its place where a code page lacks it (U+2216 becomes `\`, and so does the yen sign).
// Letters with marks are not taken for those without. Empty for most.
std::string AsciiForms(uint32_t c);

// Outside ASCII, and one of its AsciiForms() is a full stop, slash, backslash or colon.
bool BecomesPathSyntax(uint32_t c);

// `text` for comparing names without regard to case, as the file systems that fold it do: each
// character's NFKC form, case folded (ſ as s, ß as ss, ﬁ and the other ligatures as their letters),
// ı and İ as i. Invalid UTF-8 as it is.
std::string FoldName(absl::string_view text);

}  // namespace tipstaff::schema
