// URI templates (RFC 6570) read backwards: which URIs one can come to.
#pragma once

#include "absl/strings/string_view.h"

namespace tipstaff::policy::internal {

// Whether expanding `uri_template` with some values may give `uri`. A simple expression, {var},
// stands for what has none of `/?#&`; {+var} and {#var} for anything; {/a,b}, {.a}, {;a}, {?a,b}
// and {&a,b} for what begins with their character, or nothing. A template that is not well formed
// comes to nothing.
bool ComesTo(absl::string_view uri_template, absl::string_view uri);

}  // namespace tipstaff::policy::internal
