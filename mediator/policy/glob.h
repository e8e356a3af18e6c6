// Patterns with `*`: of tools in deny rules, and in the filters of mediator/review.
#pragma once

#include "absl/strings/string_view.h"

namespace tipstaff::policy {

// A tool's name in which `*` stands for any characters, also none and dots; not empty.
bool IsGlob(absl::string_view pattern);

// Whether all of `text` matches. Work is at most the product of the lengths.
bool GlobMatches(absl::string_view pattern, absl::string_view text);

}  // namespace tipstaff::policy
