// The reference against the official JSON Schema test suite: what it says of the standard is not
// only its own opinion. Looked for where mediator/schema/suite_test.cc looks.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "tests/reference/check.h"

namespace tipstaff::reference {
namespace {

namespace fs = std::filesystem;

fs::path SuiteFolder() {
  if (const char* named = std::getenv("TIPSTAFF_JSON_SCHEMA_SUITE")) return named;
  const fs::path beside = fs::path(TIPSTAFF_SOURCE_DIR) / ".." / "shared/json-schema-test-suite";
  return fs::exists(beside / "tests") ? beside : fs::path();
}

// Whether the group needs what no skill can have: another document, another draft, Unicode in
// patterns, or URIs with more to them than names.
bool IsBeyond(const std::string& file, json::Value group) {
  static const auto* files =
      new std::set<std::string>{"vocabulary.json", "refRemote.json", "format.json", "content.json"};
  if (files->contains(file)) return true;
  std::string text = json::Dump(group.Find("schema"));
  const size_t own = text.find("https://json-schema.org/draft/2020-12/schema");
  if (own != std::string::npos) text.erase(own, 44);
  for (const char* sign :
       {"\"./", "localhost:1234", "json-schema.org", "\\\\p{", "^\xf0", "\xc3"}) {
    if (absl::StrContains(text, sign)) return true;
  }
  return false;
}

TEST(Suite, AgreesWithTheStandard) {
  const fs::path folder = SuiteFolder();
  if (folder.empty()) GTEST_SKIP() << "no JSON Schema test suite here";
  size_t tests = 0;
  for (const auto& entry : fs::directory_iterator(folder / "tests" / "draft2020-12")) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const json::Document document = *json::Parse(text, {.max_depth = 64});
    for (json::Value group : document.root().items()) {
      if (IsBeyond(entry.path().filename(), group)) continue;
      const Rules rules{.standard = true};
      const Checker checker(group.Find("schema"), rules);
      for (json::Value test : group.Find("tests").items()) {
        ++tests;
        EXPECT_EQ(checker.Check(test.Find("data"), 0).passed(), test.BoolOr("valid", false))
            << entry.path().filename() << ": " << group.StringOr("description", "") << ": "
            << test.StringOr("description", "");
      }
    }
  }
  EXPECT_GT(tests, 900u);
}

}  // namespace
}  // namespace tipstaff::reference
