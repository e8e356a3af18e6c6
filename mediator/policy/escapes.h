// Characters that are written as escapes in URLs, C, JSON, JavaScript, HTML and quoted-printable.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::policy::internal {

// `text` with what the escapes in it stand for: `%41`, `=41` and `\x41` are a byte; `\u0041`,
// `\u{41}`, `\U00000041`, `%u0041`, `&#65;` and `&#x41;` a character, two that are a surrogate pair
// one; `\n` and the like a space. What is none stays. UTF-8 only where the bytes are.
std::string Unescaped(absl::string_view text);

}  // namespace tipstaff::policy::internal
