#include <algorithm>
#include <numeric>

#include "absl/strings/match.h"
#include "mediator/source/diagnostic.h"

namespace tipstaff::source {
namespace {

// Names are short; what is longer is no misspelling of one.
constexpr size_t kMaxNameBytes = 64;
// What is shorter begins too many words to mean one of them.
constexpr size_t kMinPrefixBytes = 4;

// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
size_t EditDistance(absl::string_view a, absl::string_view b) {
  std::vector<size_t> before, above(b.size() + 1), row(b.size() + 1);
  std::iota(above.begin(), above.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before = above;
    above = row;
  }
  return above[b.size()];
}

// The only candidate that goes on where `text` ends: `$report` for `report_id`.
std::string OnlyContinuation(absl::string_view text, absl::Span<const std::string> candidates) {
  std::string only;
  if (text.size() < kMinPrefixBytes) return only;
  for (const std::string& candidate : candidates) {
    if (!absl::StartsWith(candidate, text)) continue;
    if (!only.empty()) return "";
    only = candidate;
  }
  return only;
}

}  // namespace

std::string NearestName(absl::string_view text, absl::Span<const std::string> candidates) {
  if (text.size() > kMaxNameBytes) return "";
  // One mistake in a short name, one in three characters of a long one.
  size_t best = std::max<size_t>(text.size(), 3) / 3 + 1;
  std::string nearest;
  for (const std::string& candidate : candidates) {
    if (candidate.empty() || candidate.size() > kMaxNameBytes) continue;
    const size_t distance = EditDistance(text, candidate);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest.empty() ? OnlyContinuation(text, candidates) : nearest;
}

}  // namespace tipstaff::source
