// Compiled regular expressions of ctx.text.matches, which cost far more to compile than to match.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace re2 {
class RE2;
}

namespace tipstaff::engine {

// Keeps the last few that are short. Not thread-safe.
class PatternCache {
 public:
  PatternCache();
  ~PatternCache();

  // The expression, which may be one that is not ok(). Valid until the next call.
  const re2::RE2& Get(absl::string_view pattern);

 private:
  struct Entry {
    std::string pattern;
    std::unique_ptr<re2::RE2> expression;
  };
  std::vector<Entry> entries_;  // the one used last comes last
};

}  // namespace tipstaff::engine
