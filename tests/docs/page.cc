#include "tests/docs/page.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace tipstaff::docs {
namespace {

constexpr absl::string_view kAny = "…";

bool LineMatches(absl::string_view shown, absl::string_view found) {
  const std::vector<absl::string_view> parts = absl::StrSplit(shown, kAny);
  if (parts.size() == 1) return shown == found;
  if (!absl::ConsumePrefix(&found, parts.front())) return false;
  for (size_t i = 1; i + 1 < parts.size(); ++i) {
    const size_t at = found.find(parts[i]);
    if (at == absl::string_view::npos) return false;
    found.remove_prefix(at + parts[i].size());
  }
  return absl::EndsWith(found, parts.back());
}

std::vector<std::string> LinesOf(absl::string_view text) {
  std::vector<std::string> lines = absl::StrSplit(text, '\n');
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

// Where in `found` the lines before the next `…` line end, if they stand at `from`.
bool RunMatches(const std::vector<std::string>& shown, size_t begin, size_t end,
                const std::vector<std::string>& found, size_t from) {
  if (from + (end - begin) > found.size()) return false;
  for (size_t i = begin; i < end; ++i) {
    if (!LineMatches(shown[i], found[from + i - begin])) return false;
  }
  return true;
}

}  // namespace

absl::StatusOr<std::vector<Step>> ReadPage(const std::string& text) {
  std::vector<Step> steps;
  std::string block;  // its info string; "" outside
  bool within = false;
  int number = 0, opened = 0;
  for (const std::string& line : LinesOf(text)) {
    ++number;
    if (absl::StartsWith(line, "```")) {
      within = !within;
      block = within ? line.substr(3) : "";
      opened = number;
      const size_t space = block.find(' ');
      if (within && space != std::string::npos) {
        steps.push_back({Step::Kind::kFile, number, block.substr(space + 1), ""});
      }
      continue;
    }
    if (!within) continue;
    if (block.find(' ') != std::string::npos) {
      absl::StrAppend(&steps.back().text, line, "\n");
    } else if (block == "console") {
      if (absl::StartsWith(line, "$ ")) {
        steps.push_back({Step::Kind::kCommand, number, line.substr(2), ""});
      } else if (steps.empty() || steps.back().kind != Step::Kind::kCommand ||
                 steps.back().line < opened) {
        return absl::InvalidArgumentError(absl::StrCat("line ", number, ": output of no command"));
      } else {
        absl::StrAppend(&steps.back().text, line, "\n");
      }
    }
  }
  if (within) {
    return absl::InvalidArgumentError(absl::StrCat("line ", opened, ": a block is never closed"));
  }
  return steps;
}

std::string Differs(const std::string& shown_text, const std::string& found_text) {
  const std::vector<std::string> shown = LinesOf(shown_text), found = LinesOf(found_text);
  size_t at = 0;  // in found
  for (size_t begin = 0; begin < shown.size();) {
    const bool skips = shown[begin] == kAny;
    if (skips) ++begin;
    size_t end = begin;
    while (end < shown.size() && shown[end] != kAny) ++end;
    if (skips && end == shown.size()) {  // the rest of what was found ends with these
      const size_t lines = end - begin;
      if (found.size() < at + lines ||
          !RunMatches(shown, begin, end, found, found.size() - lines)) {
        return absl::StrCat("the end is not `", lines == 0 ? "" : shown[begin], "` and so on");
      }
      return "";
    }
    size_t from = at;
    while (skips && from <= found.size() && !RunMatches(shown, begin, end, found, from)) ++from;
    if (!RunMatches(shown, begin, end, found, from)) {
      for (size_t i = begin; i < end; ++i) {
        const std::string here = at + i - begin < found.size() ? found[at + i - begin] : "";
        if (!LineMatches(shown[i], here)) {
          return absl::StrCat("expected `", shown[i], "`, found `", here, "`");
        }
      }
      return absl::StrCat("`", shown[begin], "` is not there");
    }
    at = from + (end - begin);
    begin = end;
  }
  if (at < found.size()) return absl::StrCat("not on the page: `", found[at], "`");
  return "";
}

}  // namespace tipstaff::docs
