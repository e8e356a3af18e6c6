// Whether a path that must stay hidden lies in a folder that a confined program sees.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace tipstaff::confine {

// Absolute, every link resolved; of a path that is not there yet, as far as it is.
std::filesystem::path Resolved(const std::string& path);

// Whether the resolved path `inner` is `outer` or lies below it.
bool IsInside(const std::filesystem::path& inner, const std::filesystem::path& outer);

// FailedPrecondition when one of `hidden` (paths) lies where every confined program looks: in /usr.
absl::Status CheckHidden(const std::vector<std::string>& hidden);

}  // namespace tipstaff::confine
