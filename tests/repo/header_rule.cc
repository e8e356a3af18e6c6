#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/repo/includes.h"
#include "tests/repo/rules.h"

namespace tipstaff::repo {
namespace {

struct HeaderRule {
  absl::string_view what;
  std::vector<absl::string_view> begins;   // of the include as written
  absl::string_view ends;                  // of the include, "" for none
  std::vector<absl::string_view> folders;  // that may include it; empty: all
  // Where a .h may include it too: folders that make a program, whose headers nobody else includes.
  std::vector<absl::string_view> header_folders;
};

const std::vector<HeaderRule>& Rules() {
  static const auto* rules = new std::vector<HeaderRule>{
      {"gRPC",
       {"grpcpp/", "grpc/"},
       "",
       {"mediator/gate/", "guest-agent/"},
       {"mediator/gate/", "guest-agent/"}},
      {"a gRPC service",
       {},
       ".grpc.pb.h",
       {"mediator/gate/", "guest-agent/"},
       {"mediator/gate/", "guest-agent/"}},
      {"SQLite", {"sqlite3"}, "", {"mediator/ledger/", "stubs/engine/"}, {}},
      {"Lua", {"lua.h", "lauxlib.h", "lualib.h", "luaconf.h"}, "", {"stubs/engine/"}, {}},
      {"yaml-cpp", {"yaml-cpp/"}, "", {"mediator/source/"}, {}},
      {"libcurl", {"curl/"}, "", {"mediator/upstream/"}, {}},
      {"nlohmann/json", {"nlohmann/json.hpp"}, "", {"mediator/json/"}, {}},
      {"Boost.Asio or Beast",
       {"boost/asio", "boost/beast"},
       "",
       {"mediator/host/", "mediator/backend/", "mediator/upstream/", "mediator/review/",
        "mediator/cli/", "guest-agent/"},
       {"mediator/host/", "guest-agent/"}},
  };
  return *rules;
}

bool Matches(const HeaderRule& rule, absl::string_view include) {
  for (absl::string_view begin : rule.begins) {
    if (absl::StartsWith(include, begin)) return true;
  }
  return !rule.ends.empty() && absl::EndsWith(include, rule.ends);
}

bool IsBelow(absl::string_view path, const std::vector<absl::string_view>& folders) {
  for (absl::string_view folder : folders) {
    if (absl::StartsWith(path, folder)) return true;
  }
  return false;
}

void CheckOne(const HeaderRule& rule, absl::string_view path, const Include& include,
              Findings& findings) {
  if (!Matches(rule, include.path)) return;
  const std::string place = absl::StrCat(path, ":", include.line);
  if (!IsBelow(path, rule.folders)) {
    findings.push_back(absl::StrCat(place, ": only ", absl::StrJoin(rule.folders, ", "),
                                    " may include ", rule.what, ": `", include.path, "`"));
  } else if (absl::EndsWith(path, ".h") && !IsBelow(path, rule.header_folders)) {
    findings.push_back(absl::StrCat(place, ": ", rule.what,
                                    " may not be included in a header: move `", include.path,
                                    "` into the .cc"));
  }
}

}  // namespace

Findings CheckHeaders(const Tree& tree) {
  Findings findings;
  for (const auto& [path, content] : tree) {
    if (!IsCpp(path) || IsTest(path)) continue;
    for (const Include& include : IncludesOf(content)) {
      for (const HeaderRule& rule : Rules()) CheckOne(rule, path, include, findings);
    }
  }
  return findings;
}

}  // namespace tipstaff::repo
