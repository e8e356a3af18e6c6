// The official JSON Schema test suite's tests of `format` (draft 2020-12, optional/format),
// asserted.
//
// The suite lies beside the source tree, or where TIPSTAFF_JSON_SCHEMA_SUITE says.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "mediator/base/file.h"
#include "mediator/json/parse.h"
#include "mediator/schema/format.h"

namespace tipstaff::schema {
namespace {

// Tests that do not pass, as `file: group: test`, and why it cannot be otherwise. One that is here
// and passes, or is in the suite no more, fails the test.
const std::map<std::string, std::string>& Exceptions() {
  static const auto* const kExceptions = new std::map<std::string, std::string>{};
  return *kExceptions;
}

std::filesystem::path SuiteFolder() {
  const char* given = std::getenv("TIPSTAFF_JSON_SCHEMA_SUITE");
  return given != nullptr
             ? std::filesystem::path(given)
             : std::filesystem::path(TIPSTAFF_SOURCE_DIR) / "../shared/json-schema-test-suite";
}

class Suite {
 public:
  void RunFile(const std::filesystem::path& path) {
    const absl::StatusOr<std::string> bytes = base::ReadFile(path.string());
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    const absl::StatusOr<json::Document> document = json::Parse(*bytes);
    ASSERT_TRUE(document.ok()) << path << ": " << document.status();
    for (const json::Value group : document->root().items()) RunGroup(path.stem().string(), group);
  }

  void RunGroup(const std::string& file, json::Value group) {
    const json::Value schema = group.Find("schema");
    for (const json::Member& member : schema.members()) {
      ASSERT_TRUE(member.key == "$schema" || member.key == "format") << file << ": " << member.key;
    }
    for (const json::Value test : group.Find("tests").items()) {
      const std::string name = absl::StrCat(file, ": ", group.StringOr("description", ""), ": ",
                                            test.StringOr("description", ""));
      Judge(name, Passes(schema.StringOr("format", ""), test.Find("data")),
            test.BoolOr("valid", false));
    }
  }

  int tests() const { return tests_; }
  const std::set<std::string>& seen() const { return seen_; }

 private:
  static bool Passes(absl::string_view format, json::Value data) {
    const std::optional<Format> known = FindFormat(format);
    return !known.has_value() || !data.is_string() || HasFormat(*known, data.string());
  }

  void Judge(const std::string& name, bool passes, bool valid) {
    ++tests_;
    seen_.insert(name);
    if (Exceptions().contains(name)) {
      EXPECT_NE(passes, valid) << name << ": passes now: take it off the list";
    } else {
      EXPECT_EQ(passes, valid) << name;
    }
  }

  int tests_ = 0;
  std::set<std::string> seen_;
};

TEST(FormatSuite, Passes) {
  const std::filesystem::path folder = SuiteFolder() / "tests/draft2020-12/optional/format";
  if (!std::filesystem::is_directory(folder)) {
    GTEST_SKIP() << "the JSON Schema test suite is not at " << folder
                 << ": set TIPSTAFF_JSON_SCHEMA_SUITE to its folder";
  }
  Suite suite;
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    files.insert(entry.path().stem().string());
    suite.RunFile(entry.path());
  }
  EXPECT_GT(suite.tests(), 600);
  for (const auto& [name, reason] : Exceptions()) {
    EXPECT_TRUE(suite.seen().contains(name)) << name << ": not in the suite: take it off the list";
    EXPECT_FALSE(reason.empty()) << name;
  }
  for (int i = 0; i <= static_cast<int>(Format::kRegex); ++i) {
    const std::string name(FormatName(static_cast<Format>(i)));
    EXPECT_TRUE(files.contains(name)) << name << " has no file in the suite";
  }
}

}  // namespace
}  // namespace tipstaff::schema
