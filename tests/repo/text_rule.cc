#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "re2/re2.h"
#include "tests/repo/rules.h"

namespace tipstaff::repo {
namespace {

// Each has a bracket that keeps this file from matching itself.
const RE2& Marks() {
  static const auto* marks = new RE2(R"re(\b(T[O]DO|FIX[M]E)\b)re");
  return *marks;
}

const RE2& MachinePaths() {
  static const auto* paths = new RE2(R"re((?:^|[^A-Za-z0-9_.$}*-])(/(?:wor[k]|roo[t]|hom[e])/))re");
  return *paths;
}

// The home folder that a confined command sees; no machine has it.
constexpr absl::string_view kConfinedHome = "/home/agent";

// Files with mistakes, line ends among them.
constexpr absl::string_view kWrongFiles = "tests/golden/skills/";

const RE2& Registries() {
  static const auto* registries = new RE2(
      R"re((registry\.[n]pmjs|deb\.[d]ebian\.org|[f]iles\.pythonhosted|static\.[c]rates\.io))re");
  return *registries;
}

void CheckLine(absl::string_view place, absl::string_view line, Findings& findings) {
  const re2::StringPiece text(line.data(), line.size());
  std::string found;
  if (RE2::PartialMatch(text, Marks(), &found)) {
    findings.push_back(absl::StrCat(place, ": `", found, "`: do it or file an issue"));
  }
  if (RE2::PartialMatch(absl::StrReplaceAll(line, {{kConfinedHome, ""}}), MachinePaths(), &found)) {
    findings.push_back(absl::StrCat(place, ": `", found, "` is a folder of one machine"));
  }
  if (RE2::PartialMatch(text, Registries(), &found)) {
    findings.push_back(absl::StrCat(place, ": `", found, "`: name packages, not registries"));
  }
  if (absl::EndsWith(line, "\r") && !absl::StartsWith(place, kWrongFiles)) {
    findings.push_back(absl::StrCat(place, ": ends with a carriage return"));
  }
}

}  // namespace

Findings CheckText(const Tree& tree) {
  Findings findings;
  for (const auto& [path, content] : tree) {
    if (absl::StrContains(content, absl::string_view("\0", 1))) continue;  // not text
    int number = 0;
    for (absl::string_view line : absl::StrSplit(content, '\n')) {
      CheckLine(absl::StrCat(path, ":", ++number), line, findings);
    }
  }
  return findings;
}

}  // namespace tipstaff::repo
