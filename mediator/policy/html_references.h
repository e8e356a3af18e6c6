// Characters that HTML has names for.
#pragma once

#include "absl/strings/string_view.h"

namespace tipstaff::policy::internal {

struct HtmlReference {
  size_t bytes = 0;              // of the text; none where it begins with no reference
  absl::string_view characters;  // UTF-8, of static storage
};

// The named reference that `text`, whose first character is `&`, begins with, as browsers read it:
// some names need no semicolon. The names are those of
// https://html.spec.whatwg.org/multipage/named-characters.html.
HtmlReference ReadHtmlReference(absl::string_view text);

}  // namespace tipstaff::policy::internal
