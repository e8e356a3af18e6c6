#include "tests/repo/edges.h"

#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "mediator/base/status.h"

namespace tipstaff::repo {
namespace {

using Lines = std::vector<std::pair<int, std::string>>;  // number from 1, text

absl::StatusOr<Lines> BlockOf(absl::string_view page) {
  Lines block;
  bool inside = false;
  int blocks = 0;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(page, '\n')) {
    ++number;
    if (inside && absl::StartsWith(line, "```")) {
      inside = false;
    } else if (line == "```edges") {
      inside = true;
      ++blocks;
    } else if (inside) {
      block.emplace_back(number, std::string(line));
    }
  }
  if (blocks != 1 || inside) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected one closed block \"```edges\", found ", blocks));
  }
  return block;
}

// Takes out, again and again, what uses only what was taken out before; what stays is in a cycle
// or above one.
absl::Status CheckNoCycle(Edges edges) {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = edges.begin(); it != edges.end();) {
      bool uses_one = false;
      for (const std::string& used : it->second) uses_one = uses_one || edges.contains(used);
      changed = changed || !uses_one;
      it = uses_one ? std::next(it) : edges.erase(it);
    }
  }
  if (edges.empty()) return absl::OkStatus();
  std::vector<std::string> names;
  for (const auto& [library, used] : edges) names.push_back(library);
  return absl::InvalidArgumentError(
      absl::StrCat("these use each other in a circle: ", absl::StrJoin(names, " ")));
}

}  // namespace

absl::StatusOr<Edges> ParseEdges(absl::string_view page) {
  TIPSTAFF_ASSIGN_OR_RETURN(const Lines block, BlockOf(page));
  Edges edges;
  for (const auto& [number, line] : block) {
    const std::vector<std::string> halves = absl::StrSplit(line, absl::MaxSplits(':', 1));
    if (halves.size() != 2 || halves[0].empty() || absl::StrContains(halves[0], ' ')) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", number, ": expected `library: used used`, found `", line, "`"));
    }
    const std::set<std::string> used = absl::StrSplit(halves[1], ' ', absl::SkipEmpty());
    if (!edges.emplace(halves[0], used).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", number, ": `", halves[0], "` is listed twice"));
    }
  }
  for (const auto& [library, uses] : edges) {
    for (const std::string& used : uses) {
      if (edges.contains(used)) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("`", library, "` uses `", used, "`, which is not listed"));
    }
  }
  TIPSTAFF_RETURN_IF_ERROR(CheckNoCycle(edges));
  return edges;
}

std::string FolderOfLibrary(absl::string_view library) {
  if (library == "engine" || library == "recorder") return absl::StrCat("stubs/", library);
  if (library == "guest-agent") return "guest-agent";
  if (absl::StartsWith(library, "proto/")) {
    return absl::StrCat("schemas/proto/tipstaff/", library.substr(6));
  }
  return absl::StrCat("mediator/", library);
}

std::string LibraryOf(const Edges& edges, absl::string_view path) {
  std::string best;
  size_t best_size = 0;
  for (const auto& [library, used] : edges) {
    const std::string folder = FolderOfLibrary(library) + "/";
    if (folder.size() > best_size && absl::StartsWith(path, folder)) {
      best = library;
      best_size = folder.size();
    }
  }
  return best;
}

}  // namespace tipstaff::repo
