// Paths of URLs that lead where they seem to.
#pragma once

#include "absl/strings/string_view.h"

namespace tipstaff::schema {

// Empty, or `/` and characters that RFC 3986 has in a path, with none of what url.h refuses there.
bool IsPlainUrlPath(absl::string_view path);

}  // namespace tipstaff::schema
