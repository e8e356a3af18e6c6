#include "stubs/engine/lua_patterns.h"

#include <re2/re2.h>

#include <algorithm>

namespace tipstaff::engine {
namespace {

// A guest may choose patterns, where a script takes them from the arguments.
constexpr size_t kMaxEntries = 8;
constexpr size_t kMaxPatternBytes = 256;
constexpr int64_t kMaxExpressionMemory = 1 << 20;

}  // namespace

PatternCache::PatternCache() = default;
PatternCache::~PatternCache() = default;

const re2::RE2& PatternCache::Get(absl::string_view pattern) {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [pattern](const Entry& e) { return e.pattern == pattern; });
  if (found != entries_.end()) {
    std::rotate(found, found + 1, entries_.end());
    return *entries_.back().expression;
  }
  std::erase_if(entries_, [](const Entry& e) { return e.pattern.size() > kMaxPatternBytes; });
  if (entries_.size() == kMaxEntries) entries_.erase(entries_.begin());
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxExpressionMemory);
  entries_.push_back(
      {std::string(pattern),
       std::make_unique<re2::RE2>(re2::StringPiece(pattern.data(), pattern.size()), options)});
  return *entries_.back().expression;
}

}  // namespace tipstaff::engine
