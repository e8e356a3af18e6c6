#include "mediator/source/explanation.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace tipstaff::source {

const Explanation* FindExplanation(absl::string_view code,
                                   absl::Span<const ExplanationTable> tables) {
  for (const ExplanationTable& table : tables) {
    for (const Explanation& explanation : table) {
      if (absl::EqualsIgnoreCase(explanation.code, code)) return &explanation;
    }
  }
  return nullptr;
}

std::string RenderExplanation(const Explanation& explanation) {
  static constexpr size_t kColumns = 80;
  std::string out = absl::StrCat(explanation.code, ": ", explanation.title, "\n\n");
  size_t used = 0;
  for (absl::string_view word : absl::StrSplit(explanation.text, ' ')) {
    const bool fits = used + 1 + word.size() <= kColumns;
    if (used > 0) absl::StrAppend(&out, fits ? " " : "\n");
    used = used > 0 && fits ? used + 1 + word.size() : word.size();
    absl::StrAppend(&out, word);
  }
  absl::StrAppend(&out, "\n");
  return out;
}

}  // namespace tipstaff::source
