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

// What several backslashes are: who quotes what is escaped already, as JSON does, doubles them.
enum class Doubled {
  kApart,   // each by itself: `\\x41` is a backslash and `A`
  kEscape,  // two are an escape of one: `\\x41` is `\x41`
  kGone,    // however many stand before an escape are of it: `\\x41` is `A`
};

struct Notation {
  Digited digited = Digited::kOctal;
  Doubled doubled = Doubled::kApart;
};
// Who doubles backslashes for others than C leaves theirs to be read next.
inline constexpr Notation kEveryNotation[] = {
    {Digited::kOctal, Doubled::kApart},  {Digited::kNul, Doubled::kApart},
    {Digited::kPrintf, Doubled::kApart}, {Digited::kCss, Doubled::kApart},
    {Digited::kOctal, Doubled::kEscape}, {Digited::kOctal, Doubled::kGone}};

// `text` with what the escapes in it stand for: `%41`, `=41`, `\x41` and `\101` are a byte;
// `\u0041`, `\u{41}`, `\x{41}`, `\o{101}`, `\U00000041`, `%u0041`, `&#65;`, `&#x41;` and `&eacute;`
// a character, with and without the semicolon as browsers have it; two that are a surrogate pair
// one;
// `\n` and the like a space. What is none stays. UTF-8 only where the bytes are.
std::string Unescaped(absl::string_view text, Notation notation);

// Each text that `text` becomes so in every notation, where that is another one.
std::vector<std::string> AllUnescaped(absl::string_view text);

}  // namespace tipstaff::policy::internal
