// What changed between two texts, line by line.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace tipstaff::cli {

// Each line with `  `, `- ` or `+ ` before it, the longest common part kept; of what is the same
// only `context` lines around a change. Texts of more than a few thousand lines are shown as all
// removed and all added.
std::string LineDiff(absl::string_view before, absl::string_view after, size_t context = 3);

}  // namespace tipstaff::cli
