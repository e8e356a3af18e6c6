#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tests/repo/rules.h"

namespace tipstaff::repo {
namespace {

constexpr int kMaxLines = 5;

int LinesOf(absl::string_view content) {
  int lines = 0;
  for (absl::string_view line : absl::StrSplit(content, '\n', absl::SkipWhitespace())) {
    lines += line.empty() ? 0 : 1;
  }
  return lines;
}

bool EndsWithName(absl::string_view path, absl::string_view name) {
  return path == name || absl::EndsWith(path, absl::StrCat("/", name));
}

}  // namespace

Findings CheckReadmes(const Tree& tree) {
  std::set<std::string> need;
  std::set<std::string> may_be_long = {""};  // the top's is the product's own page
  for (const auto& [path, content] : tree) {
    const bool for_users = EndsWithName(path, "skill.yaml") || EndsWithName(path, "stub.yaml");
    if (for_users) may_be_long.insert(FolderOf(path));
    if (for_users || EndsWithName(path, "CMakeLists.txt")) need.insert(FolderOf(path));
  }
  Findings findings;
  for (const std::string& folder : need) {
    const std::string path = folder.empty() ? "README.md" : folder + "/README.md";
    const auto readme = tree.find(path);
    if (readme == tree.end()) {
      findings.push_back(absl::StrCat(path, ": not there: say in a few lines what the folder is"));
    } else if (const int lines = LinesOf(readme->second);
               lines == 0 || (lines > kMaxLines && !may_be_long.contains(folder))) {
      findings.push_back(absl::StrCat(path, ": ", lines, " lines: expected 1 to ", kMaxLines));
    }
  }
  return findings;
}

}  // namespace tipstaff::repo
