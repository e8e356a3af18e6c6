// What `tipstaff check` says about each mistake, word for word.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "mediator/backend/catalog.h"
#include "mediator/base/file.h"
#include "mediator/json/parse.h"
#include "mediator/policy/codes.h"
#include "mediator/policy/skill.h"
#include "mediator/schema/program.h"
#include "mediator/source/codes.h"

namespace tipstaff {
namespace {

namespace fs = std::filesystem;

constexpr char kFolder[] = TIPSTAFF_SOURCE_DIR "/tests/golden/skills";
constexpr char kHowToUpdate[] =
    "if this is what users should read: TIPSTAFF_UPDATE_GOLDEN=1 ./dev test -R Golden";

bool Updates() { return std::getenv("TIPSTAFF_UPDATE_GOLDEN") != nullptr; }

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

source::Diagnostics Check(const std::string& name) {
  const backend::Catalog catalog(
      [](const std::string& stub) {
        return engine::ReadStubFiles(absl::StrCat(TIPSTAFF_SOURCE_DIR "/stubs/", stub));
      },
      {"mailbox", "reports", "tickets"});
  auto file = std::make_shared<source::File>();
  file->path = absl::StrCat(name, ".yaml");
  file->text = base::ReadFile(absl::StrCat(kFolder, "/", file->path)).value_or("");
  source::Diagnostics found;
  policy::LoadSkill(std::move(file), catalog, found);
  return found;
}

// Compares with the file `name`, or writes it.
void ExpectGolden(const std::string& name, const std::string& text) {
  const std::string path = absl::StrCat(kFolder, "/", name);
  if (Updates()) {
    const absl::Status written = base::WriteFile(path, text);
    ASSERT_TRUE(written.ok()) << written;
  }
  const absl::StatusOr<std::string> expected = base::ReadFile(path);
  ASSERT_TRUE(expected.ok()) << expected.status() << "\n" << kHowToUpdate;
  EXPECT_EQ(text, *expected) << kHowToUpdate;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, SaysWhatItSaid) {
  ExpectGolden(absl::StrCat(GetParam(), ".expected"), source::RenderText(Check(GetParam())));
}

// One mistake, one message, but where a warning follows from another one.
TEST_P(Golden, SaysOneThingOfOneMistake) {
  const bool follows = GetParam() == "after_one_that_is_denied";
  EXPECT_EQ(Check(GetParam()).size(), follows ? 2u : 1u);
}

TEST_P(Golden, HasACodeAPlaceAndACaret) {
  const bool of_whole_file = GetParam() == "empty_file" || GetParam() == "only_comments";
  const source::ExplanationTable tables[] = {source::YamlExplanations(),
                                             policy::PolicyExplanations()};
  for (const source::Diagnostic& diagnostic : Check(GetParam())) {
    const std::string text = source::RenderText(diagnostic);
    EXPECT_NE(source::FindExplanation(diagnostic.code, tables), nullptr) << text;
    EXPECT_EQ(diagnostic.span.line > 0, !of_whole_file) << text;
    EXPECT_EQ(absl::StrContains(text, "^"), !of_whole_file) << text;
    const std::vector<std::string> lines = absl::StrSplit(diagnostic.file->text, '\n');
    ASSERT_LE(diagnostic.span.line, static_cast<int>(lines.size()));
    EXPECT_THAT(diagnostic.message, testing::Not(testing::HasSubstr("\n")));
    EXPECT_FALSE(absl::EndsWith(diagnostic.message, ".")) << diagnostic.message;
    EXPECT_FALSE(absl::ascii_isupper(diagnostic.message[0])) << diagnostic.message;
  }
}

// What is nearly the right word comes with that word.
TEST_P(Golden, SuggestsWhatIsNear) {
  if (!absl::StartsWith(GetParam(), "misspelt_")) return;
  EXPECT_THAT(Check(GetParam()).at(0).label, testing::StartsWith("did you mean `"));
}

// schemas/json/diagnostics.schema.json is what a program that reads them can count on.
TEST_P(Golden, IsDescribedAsJson) {
  const auto text = base::ReadFile(TIPSTAFF_SOURCE_DIR "/schemas/json/diagnostics.schema.json");
  ASSERT_TRUE(text.ok()) << text.status();
  const absl::StatusOr<json::Document> schema = json::Parse(*text);
  ASSERT_TRUE(schema.ok()) << schema.status();
  const auto program = schema::Program::Compile(schema->root(), schema::Dialect::kTool);
  ASSERT_TRUE(program.ok()) << program.status();
  ASSERT_TRUE(program->unchecked().empty());
  const absl::StatusOr<json::Document> output = json::Parse(source::RenderJson(Check(GetParam())));
  ASSERT_TRUE(output.ok()) << output.status();
  const std::optional<schema::Failure> failure = program->Check(output->root());
  EXPECT_FALSE(failure.has_value()) << failure->pointer << " fails " << failure->keyword;
}

INSTANTIATE_TEST_SUITE_P(All, Golden, testing::ValuesIn(Names()),
                         [](const auto& info) { return info.param; });

TEST(GoldenJson, SaysWhatItSaid) {
  ExpectGolden("misspelt_keyword.json",
               absl::StrCat(source::RenderJson(Check("misspelt_keyword")), "\n"));
}

// A file that no test looks at is a message that nobody checks.
TEST(GoldenFiles, AreAllInUse) {
  const std::vector<std::string> names = Names();
  EXPECT_GE(names.size(), 100u);
  for (const fs::directory_entry& entry : fs::directory_iterator(kFolder)) {
    EXPECT_THAT(names, testing::Contains(entry.path().stem().string())) << entry.path();
  }
}

}  // namespace
}  // namespace tipstaff
