#include "tests/repo/includes.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "re2/re2.h"

namespace tipstaff::repo {

std::vector<Include> IncludesOf(absl::string_view content) {
  static const RE2 kInclude(R"re(\s*#\s*include\s*["<]([^">]+)[">].*)re");
  static const RE2 kImport(R"re(\s*import\s+(?:public\s+|weak\s+)?"([^"]+)"\s*;.*)re");
  std::vector<Include> includes;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(content, '\n')) {
    ++number;
    const re2::StringPiece text(line.data(), line.size());
    std::string path;
    if (RE2::FullMatch(text, kInclude, &path) || RE2::FullMatch(text, kImport, &path)) {
      includes.push_back({number, path});
    }
  }
  return includes;
}

std::string SourceOfInclude(absl::string_view include) {
  if (!absl::StartsWith(include, "tipstaff/")) return std::string(include);
  absl::string_view stem = include;
  const bool generated = absl::ConsumeSuffix(&stem, ".grpc.pb.h") ||
                         absl::ConsumeSuffix(&stem, ".pb.h") ||
                         absl::ConsumeSuffix(&stem, ".proto");
  return generated ? absl::StrCat("schemas/proto/", stem, ".proto") : std::string(include);
}

}  // namespace tipstaff::repo
