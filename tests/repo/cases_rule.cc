#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "re2/re2.h"
#include "tests/repo/rules.h"

namespace tipstaff::repo {
namespace {

constexpr char kTable[] = "tests/conformance/cases.md";

// "Suite.Name" of every test in the tree.
std::set<std::string> TestsIn(const Tree& tree) {
  static const re2::RE2 kTest(R"(\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\))");
  std::set<std::string> tests;
  for (const auto& [path, content] : tree) {
    if (!absl::EndsWith(path, "_test.cc")) continue;
    re2::StringPiece rest(content);
    std::string suite, name;
    while (re2::RE2::FindAndConsume(&rest, kTest, &suite, &name)) {
      tests.insert(absl::StrCat(suite, ".", name));
    }
  }
  return tests;
}

}  // namespace

Findings CheckCases(const Tree& tree) {
  static const re2::RE2 kNamed(R"(`(\w+\.[A-Z]\w+)`)");
  const auto table = tree.find(kTable);
  if (table == tree.end()) return {absl::StrCat(kTable, ": not there: list the cases of mcp")};
  const std::set<std::string> tests = TestsIn(tree);
  Findings findings;
  int line_number = 0, rows = 0;
  for (const absl::string_view line : absl::StrSplit(table->second, '\n')) {
    ++line_number;
    if (!absl::StartsWith(line, "| ") || absl::StartsWith(line, "| case |")) continue;
    ++rows;
    // The last column; the others have code of their own.
    const std::vector<std::string> columns = absl::StrSplit(line, " | ");
    re2::StringPiece rest(columns.back());
    std::string name;
    int named = 0;
    while (re2::RE2::FindAndConsume(&rest, kNamed, &name)) {
      ++named;
      if (tests.contains(name)) continue;
      findings.push_back(absl::StrCat(kTable, ":", line_number, ": there is no test `", name,
                                      "`: name the one that covers the case"));
    }
    if (named > 0) continue;
    findings.push_back(absl::StrCat(kTable, ":", line_number, ": a case without a test"));
  }
  if (rows == 0) findings.push_back(absl::StrCat(kTable, ": it has no rows"));
  return findings;
}

}  // namespace tipstaff::repo
