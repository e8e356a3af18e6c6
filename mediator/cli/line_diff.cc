#include "mediator/cli/line_diff.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace tipstaff::cli {
namespace {

using Lines = std::vector<absl::string_view>;

constexpr size_t kMaxLines = 4000;

struct Step {
  char sign;
  absl::string_view line;
};

Lines LinesOf(absl::string_view text) {
  Lines lines = absl::StrSplit(text, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

// The longest common subsequence, by the table of its lengths from the end.
std::vector<Step> StepsOf(const Lines& before, const Lines& after) {
  const size_t columns = after.size() + 1;
  std::vector<uint16_t> length((before.size() + 1) * columns, 0);
  for (size_t i = before.size(); i-- > 0;) {
    for (size_t j = after.size(); j-- > 0;) {
      length[i * columns + j] = before[i] == after[j] ? length[(i + 1) * columns + j + 1] + 1
                                                      : std::max(length[(i + 1) * columns + j],
                                                                 length[i * columns + j + 1]);
    }
  }
  std::vector<Step> steps;
  size_t i = 0, j = 0;
  while (i < before.size() || j < after.size()) {
    if (i < before.size() && j < after.size() && before[i] == after[j]) {
      steps.push_back({' ', before[i++]});
      ++j;
    } else if (j == after.size() || (i < before.size() && length[(i + 1) * columns + j] >=
                                                              length[i * columns + j + 1])) {
      steps.push_back({'-', before[i++]});
    } else {
      steps.push_back({'+', after[j++]});
    }
  }
  return steps;
}

std::vector<Step> AllOf(const Lines& before, const Lines& after) {
  std::vector<Step> steps;
  for (const absl::string_view line : before) steps.push_back({'-', line});
  for (const absl::string_view line : after) steps.push_back({'+', line});
  return steps;
}

}  // namespace

std::string LineDiff(absl::string_view before, absl::string_view after, size_t context) {
  const Lines old_lines = LinesOf(before), new_lines = LinesOf(after);
  const bool small = old_lines.size() <= kMaxLines && new_lines.size() <= kMaxLines;
  const std::vector<Step> steps =
      small ? StepsOf(old_lines, new_lines) : AllOf(old_lines, new_lines);
  std::vector<bool> shown(steps.size(), false);
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].sign == ' ') continue;
    const size_t from = i > context ? i - context : 0;
    for (size_t k = from; k < std::min(steps.size(), i + context + 1); ++k) shown[k] = true;
  }
  std::string text;
  bool left_out = false;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (!shown[i]) {
      left_out = true;
      continue;
    }
    if (left_out && !text.empty()) text += "  ...\n";
    left_out = false;
    text += steps[i].sign;
    absl::StrAppend(&text, " ", steps[i].line, "\n");
  }
  return text;
}

}  // namespace tipstaff::cli
