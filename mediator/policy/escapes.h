// Characters that are written as escapes in URLs, C, shells, JSON, JavaScript, HTML, CSS and
// quoted-printable.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tipstaff::policy::internal {

// What a backslash before digits begins: languages do not agree.
enum class Digited {
  kOctal,   // C: up to three octal digits
  kNul,     // JavaScript: `\0` is NUL, whatever follows; others as in C
  kPrintf,  // the shell: up to three octal digits after `\0`; others as in C
  kCss,     // up to six hex digits, and a space that ends them
};
inline constexpr Digited kEveryDigited[] = {Digited::kOctal, Digited::kNul, Digited::kPrintf,
                                            Digited::kCss};

// `text` with what the escapes in it stand for: `%41`, `=41`, `\x41` and `\101` are a byte;
// `\u0041`, `\u{41}`, `\x{41}`, `\o{101}`, `\U00000041`, `%u0041`, `&#65;`, `&#x41;` and `&eacute;`
// a character, with and without the semicolon as browsers have it; two that are a surrogate pair
// one;
// `\n` and the like a space. What is none stays. UTF-8 only where the bytes are.
std::string Unescaped(absl::string_view text, Digited digited);

// Each text that `text` becomes so, where that is another one.
std::vector<std::string> AllUnescaped(absl::string_view text);

}  // namespace tipstaff::policy::internal
