#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tests/repo/edges.h"
#include "tests/repo/includes.h"
#include "tests/repo/rules.h"

namespace tipstaff::repo {
namespace {

constexpr char kPage[] = "docs/architecture.md";

// C++ and protos of the product, test code left out.
bool IsProduct(absl::string_view path) {
  const bool in_place = absl::StartsWith(path, "mediator/") || absl::StartsWith(path, "stubs/") ||
                        absl::StartsWith(path, "guest-agent/") ||
                        absl::StartsWith(path, "schemas/");
  return in_place && !IsTest(path) && (IsCpp(path) || absl::EndsWith(path, ".proto"));
}

bool IsOwnInclude(absl::string_view include) {
  return absl::StartsWith(include, "mediator/") || absl::StartsWith(include, "stubs/") ||
         absl::StartsWith(include, "guest-agent/") || absl::StartsWith(include, "tests/") ||
         absl::StartsWith(include, "schemas/");
}

void CheckInclude(const Edges& edges, const std::string& path, const std::string& from,
                  const Include& include, Findings& findings) {
  const std::string source = SourceOfInclude(include.path);
  if (!IsOwnInclude(source)) return;
  const std::string place = absl::StrCat(path, ":", include.line);
  if (IsTest(source)) {
    findings.push_back(absl::StrCat(place, ": includes test code: `", include.path, "`"));
    return;
  }
  const std::string to = LibraryOf(edges, source);
  if (to.empty()) {
    findings.push_back(
        absl::StrCat(place, ": `", include.path, "` belongs to no library in ", kPage));
  } else if (to != from && !edges.at(from).contains(to)) {
    findings.push_back(absl::StrCat(place, ": `", from, "` may not use `", to, "`: list `", to,
                                    "` for it in ", kPage, " or move the code"));
  }
}

}  // namespace

Findings CheckLibraries(const Tree& tree) {
  const auto page = tree.find(kPage);
  if (page == tree.end()) return {absl::StrCat(kPage, ": not there")};
  const absl::StatusOr<Edges> edges = ParseEdges(page->second);
  if (!edges.ok()) return {absl::StrCat(kPage, ": ", edges.status().message())};

  Findings findings;
  std::set<std::string> seen;
  for (const auto& [path, content] : tree) {
    if (!IsProduct(path)) continue;
    const std::string from = LibraryOf(*edges, path);
    if (from.empty()) {
      findings.push_back(absl::StrCat(path, ": its library is not listed in ", kPage));
      continue;
    }
    seen.insert(from);
    for (const Include& include : IncludesOf(content)) {
      CheckInclude(*edges, path, from, include, findings);
    }
  }
  for (const auto& [library, used] : *edges) {
    if (seen.contains(library)) continue;
    findings.push_back(absl::StrCat(kPage, ": `", library, "` is listed, but there is no code in ",
                                    FolderOfLibrary(library)));
  }
  return findings;
}

}  // namespace tipstaff::repo
