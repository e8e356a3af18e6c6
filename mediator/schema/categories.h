// Unicode's general categories, by the names that ECMA-262's `\p{...}` takes.
#pragma once

#include "absl/strings/string_view.h"

namespace tipstaff::schema::internal {

// RE2's name of the category that `name` means ("L" for "Letter", "Lu" for
// "General_Category=Uppercase_Letter"); "" when there is none. The categories that hold code points
// which are not assigned (Other, Unassigned) and Cased_Letter are not RE2's. Which characters are
// in a category is for RE2's version of Unicode to say.
absl::string_view FindCategory(absl::string_view name);

}  // namespace tipstaff::schema::internal
