// References of URIs (RFC 3986), as `$id` and `$ref` use them. Text only: nothing is looked up.
#pragma once

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::schema::internal {

struct UriAndFragment {
  absl::string_view uri;       // without the fragment
  absl::string_view fragment;  // without the `#`
};
UriAndFragment SplitFragment(absl::string_view reference);

// `reference` taken relative to `base` (section 5.2, strict); neither has a fragment. An empty
// base leaves the reference as it is.
std::string ResolveUri(absl::string_view base, absl::string_view reference);

// Nothing when a `%` is not followed by two hexadecimal digits.
std::optional<std::string> PercentDecode(absl::string_view text);

}  // namespace tipstaff::schema::internal
