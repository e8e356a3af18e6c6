#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "re2/re2.h"
#include "tests/repo/rules.h"

namespace tipstaff::repo {
namespace {

std::set<std::string> AllMatches(const std::string& content, const RE2& pattern) {
  std::set<std::string> matches;
  re2::StringPiece rest(content);
  std::string match;
  while (RE2::FindAndConsume(&rest, pattern, &match)) matches.insert(match);
  return matches;
}

// Whether the page names a header of ours that is there and names the page back.
bool HasPartner(const Tree& tree, const std::string& page, const std::string& content) {
  static const RE2 kHeader(R"re(\b((?:mediator|stubs|guest-agent)/[a-z0-9_/]+\.h)\b)re");
  for (const std::string& header : AllMatches(content, kHeader)) {
    const auto it = tree.find(header);
    if (it != tree.end() && absl::StrContains(it->second, page)) return true;
  }
  return false;
}

}  // namespace

Findings CheckReferences(const Tree& tree) {
  // A name in "../docs/" or "foo/docs/" is somebody else's page.
  static const RE2 kPage(R"re((?:^|[^A-Za-z0-9_./-])(docs/[A-Za-z0-9_/-]+\.md)\b)re");
  Findings findings;
  for (const auto& [path, content] : tree) {
    if (absl::StartsWith(path, "tests/repo/")) continue;  // its tests name pages of bad trees
    for (const std::string& page : AllMatches(content, kPage)) {
      if (tree.contains(page)) continue;
      findings.push_back(absl::StrCat(path, ": names `", page, "`, which is not there"));
    }
    if (absl::StartsWith(path, "docs/") && absl::EndsWith(path, "-format.md") &&
        !HasPartner(tree, path, content)) {
      findings.push_back(
          absl::StrCat(path, ": names no header that names it back: a format has one of each"));
    }
  }
  return findings;
}

}  // namespace tipstaff::repo
