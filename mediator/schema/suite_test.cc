// The official JSON Schema test suite (json-schema-org/JSON-Schema-Test-Suite): every required test
// of 2020-12 and draft 7. Looked for in the folder that TIPSTAFF_JSON_SCHEMA_SUITE names, or beside
// the checkout.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "mediator/schema/program.h"

namespace tipstaff::schema {
namespace {

namespace fs = std::filesystem;

// The folder with `tests` and `remotes`; empty when there is none.
fs::path SuiteFolder() {
  if (const char* named = std::getenv("TIPSTAFF_JSON_SCHEMA_SUITE")) return named;
  const fs::path beside = fs::path(TIPSTAFF_SOURCE_DIR) / ".." / "shared/json-schema-test-suite";
  return fs::exists(beside / "tests") ? beside : fs::path();
}

json::Document Read(const fs::path& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  absl::StatusOr<json::Document> document = json::Parse(text, {.max_depth = 64});
  EXPECT_TRUE(document.ok()) << path << ": " << document.status();
  return document.ok() ? *std::move(document) : json::Document();
}

class Suite {
 public:
  Suite(fs::path folder, Draft draft) : folder_(std::move(folder)) {
    options_.draft = draft;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "remotes")) {
      if (entry.path().extension() != ".json") continue;
      owned_.push_back(Read(entry.path()));
      const std::string path = fs::relative(entry.path(), folder_ / "remotes").generic_string();
      documents_.push_back({absl::StrCat("http://localhost:1234/", path), owned_.back().root()});
    }
    options_.documents = documents_;
  }

  void RunFolder(const std::string& name, const std::set<std::string>& left_out) {
    std::set<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_ / "tests" / name)) {
      if (entry.path().extension() == ".json") files.insert(entry.path());
    }
    for (const fs::path& file : files) {
      if (!left_out.contains(file.filename().string())) RunFile(file);
    }
    std::cout << name << ": " << passed_ << " of " << tests_ << " tests in " << groups_
              << " groups pass\n";
  }

  int tests() const { return tests_; }
  int passed() const { return passed_; }

 private:
  void RunFile(const fs::path& file) {
    const json::Document document = Read(file);
    for (json::Value group : document.root().items()) {
      ++groups_;
      const std::string name =
          absl::StrCat(file.filename().string(), ": ", group.StringOr("description", ""));
      std::vector<Problem> problems;
      const auto program = Program::Compile(group.Find("schema"), options_, problems);
      std::string why;
      for (const Problem& problem : problems) {
        absl::StrAppend(&why, problem.pointer, " ", problem.message, "; ");
      }
      EXPECT_TRUE(program.has_value()) << name << ": " << why;
      for (json::Value test : group.Find("tests").items()) RunTest(name, program, test);
    }
  }

  void RunTest(const std::string& group, const std::optional<Program>& program, json::Value test) {
    ++tests_;
    if (!program.has_value()) return;
    const bool valid = test.BoolOr("valid", false);
    const json::Value data = test.Find("data");
    const bool accepts = program->Accepts(data);
    // Both ways of checking have to agree.
    const Tally tally = program->CheckAll(data);
    EXPECT_EQ(accepts, valid) << group << ": " << test.StringOr("description", "");
    EXPECT_EQ(!tally.first.has_value(), valid)
        << group << ": " << test.StringOr("description", "") << ": "
        << (tally.first ? absl::StrCat(tally.first->keyword, " ", tally.first->expected) : "");
    EXPECT_EQ(tally.constraints == 0, valid) << group << ": " << test.StringOr("description", "");
    if (accepts == valid && tally.first.has_value() != valid) ++passed_;
  }

  fs::path folder_;
  CompileOptions options_;
  std::vector<json::Document> owned_;
  std::vector<SchemaDocument> documents_;
  int groups_ = 0, tests_ = 0, passed_ = 0;
};

// `tests`: how many there are at least; a newer suite has more, never fewer.
void RunAll(const std::string& name, Draft draft, int tests,
            const std::set<std::string>& left_out = {}) {
  const fs::path folder = SuiteFolder();
  if (folder.empty()) {
    GTEST_SKIP() << "no JSON Schema test suite: clone json-schema-org/JSON-Schema-Test-Suite and "
                    "name the folder in TIPSTAFF_JSON_SCHEMA_SUITE";
  }
  Suite suite(folder, draft);
  suite.RunFolder(name, left_out);
  EXPECT_EQ(suite.passed(), suite.tests());
  EXPECT_GE(suite.tests(), tests);
}

TEST(OfficialSuite, Draft202012) { RunAll("draft2020-12", Draft::k2020, 1299); }
TEST(OfficialSuite, Draft7) { RunAll("draft7", Draft::k7, 927); }

// Integers over 64 bits are refused when arguments are parsed, before any schema.
constexpr char kBigIntegers[] = "bignum.json";
// Content is not decoded.
constexpr char kContent[] = "content.json";

// Refers to 2019-09, which is not checked and reported as such.
constexpr char kCrossDraft[] = "cross-draft.json";

TEST(OfficialSuite, OptionalOfDraft202012) {
  RunAll("draft2020-12/optional", Draft::k2020, 144, {kBigIntegers});
}
TEST(OfficialSuite, OptionalOfDraft7) {
  RunAll("draft7/optional", Draft::k7, 90, {kBigIntegers, kContent, kCrossDraft});
}

}  // namespace
}  // namespace tipstaff::schema
