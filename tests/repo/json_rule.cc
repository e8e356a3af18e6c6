#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "tests/repo/rules.h"

namespace tipstaff::repo {

Findings CheckJson(const Tree& tree) {
  Findings findings;
  for (const auto& [path, content] : tree) {
    if (!absl::EndsWith(path, ".json")) continue;
    if (const auto document = json::Parse(content); !document.ok()) {
      findings.push_back(absl::StrCat(path, ": ", document.status().message()));
    }
    if (absl::EndsWith(path, "package-lock.json") && absl::StrContains(content, "\"resolved\"")) {
      findings.push_back(absl::StrCat(path, ": names addresses in \"resolved\": install with ",
                                      "omit-lockfile-registry-resolved=true"));
    }
  }
  return findings;
}

}  // namespace tipstaff::repo
