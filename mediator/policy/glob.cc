#include "mediator/policy/glob.h"

#include <algorithm>

#include "absl/strings/ascii.h"

namespace tipstaff::policy {
namespace {

constexpr size_t kMaxBytes = 128;

}  // namespace

bool IsGlob(absl::string_view pattern) {
  return !pattern.empty() && pattern.size() <= kMaxBytes &&
         std::all_of(pattern.begin(), pattern.end(), [](unsigned char c) {
           return absl::ascii_isalnum(c) || c == '_' || c == '.' || c == '-' || c == '*';
         });
}

bool GlobMatches(absl::string_view pattern, absl::string_view text) {
  size_t p = 0, t = 0;
  size_t star = absl::string_view::npos, resume = 0;  // the last `*`, and where its text ends
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != absl::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == absl::string_view::npos;
}

}  // namespace tipstaff::policy
