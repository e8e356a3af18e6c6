#include "mediator/confine/places.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace tipstaff::confine {

namespace fs = std::filesystem;

fs::path Resolved(const std::string& path) {
  std::error_code error;
  // A relative path whose first part is missing would stay relative.
  const fs::path absolute = fs::absolute(path, error);
  const fs::path whole = fs::weakly_canonical(absolute, error);
  return error ? absolute.lexically_normal() : whole;
}

bool IsInside(const fs::path& inner, const fs::path& outer) {
  const auto [at_outer, at_inner] =
      std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  return at_outer == outer.end();
}

absl::Status CheckHidden(const std::vector<std::string>& hidden) {
  for (const std::string& path : hidden) {
    if (IsInside(Resolved(path), "/usr")) {
      return absl::FailedPreconditionError(
          absl::StrCat("the command would see `", path,
                       "`, as it sees all of /usr: change its place in tipstaff.yaml"));
    }
  }
  return absl::OkStatus();
}

}  // namespace tipstaff::confine
