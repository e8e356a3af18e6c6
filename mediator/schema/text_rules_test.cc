// `path` and `plain` as keywords; their values' tests stand in path_value_test.cc and
// plain_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/json/parse.h"
#include "mediator/schema/program.h"

namespace tipstaff::schema {
namespace {

using ::testing::HasSubstr;

std::optional<Program> Compile(const char* schema, std::vector<Problem>& problems) {
  return Program::Compile(json::MustParse(schema).root(), {.dialect = Dialect::kSkill}, problems);
}

std::optional<Failure> Check(const char* schema, const char* value) {
  std::vector<Problem> problems;
  const std::optional<Program> program = Compile(schema, problems);
  EXPECT_TRUE(program.has_value()) << (problems.empty() ? "" : problems[0].message);
  const json::Document document = json::MustParse(value);
  return program ? program->Check(document.root()) : std::nullopt;
}

TEST(PathKeyword, RefusesWhatItDoesNotList) {
  const char* schema = R"({"type":"string","path":{"under":["out"],"extensions":["txt","JSON"]}})";
  for (const char* good : {R"("out/a.txt")", R"("out/b/c.json")", R"("out/A.TXT")"}) {
    EXPECT_FALSE(Check(schema, good).has_value()) << good;
  }
  for (const char* bad :
       {R"("a.txt")", R"("output/a.txt")", R"("out/../a.txt")", R"("/out/a.txt")", R"("out/a.sh")",
        R"("out/.git/a.txt")", R"("out//a.txt")", R"("out\\a.txt")", R"("out/a.txt ")", R"("")"}) {
    const std::optional<Failure> failure = Check(schema, bad);
    ASSERT_TRUE(failure.has_value()) << bad;
    EXPECT_EQ(failure->keyword, "path") << bad;
    EXPECT_FALSE(failure->scope);
  }
  EXPECT_THAT(Check(schema, R"("out/a.sh")")->found, HasSubstr("extension"));
}

TEST(PathKeyword, AnyRelativePathIsAMapping) {
  EXPECT_FALSE(Check(R"({"type":"string","path":{}})", R"("a/b")").has_value());
  EXPECT_TRUE(Check(R"({"type":"string","path":{}})", R"(".env")").has_value());
  EXPECT_FALSE(Check(R"({"type":"string","path":{"hidden":true}})", R"(".notes/a")").has_value());
}

TEST(PlainKeyword, RefusesWhatAShellActsOn) {
  const char* schema = R"({"type":"string","plain":true})";
  EXPECT_FALSE(Check(schema, R"("release notes 1.2")").has_value());
  for (const char* bad : {R"("-rf")", R"("a; b")", R"x("$(id)")x", R"("a --force")", R"("a|b")"}) {
    const std::optional<Failure> failure = Check(schema, bad);
    ASSERT_TRUE(failure.has_value()) << bad;
    EXPECT_EQ(failure->keyword, "plain");
  }
}

TEST(TextRules, SayWhatTheyTake) {
  struct Row {
    const char* schema;
    ProblemKind kind;
    const char* message;
  };
  for (const Row& row :
       {Row{R"({"path":true})", ProblemKind::kBadValue, "`path` takes a mapping"},
        Row{R"({"path":{"below":["a"]}})", ProblemKind::kUnknownKeyword, "unknown key in `path`"},
        Row{R"({"path":{"under":"a"}})", ProblemKind::kBadValue, "`under` takes a list"},
        Row{R"({"path":{"under":[]}})", ProblemKind::kBadValue, "one at least"},
        Row{R"({"path":{"extensions":[5]}})", ProblemKind::kBadValue, "`extensions` lists texts"},
        Row{R"({"path":{"hidden":1}})", ProblemKind::kBadValue, "`hidden` takes true or false"},
        Row{R"({"path":{"under":["../x"]}})", ProblemKind::kBadValue, "../x"},
        Row{R"({"plain":false})", ProblemKind::kBadValue, "`plain` takes true"},
        Row{R"({"plain":"yes"})", ProblemKind::kBadValue, "`plain` takes true"}}) {
    std::vector<Problem> problems;
    EXPECT_FALSE(Compile(row.schema, problems).has_value()) << row.schema;
    ASSERT_FALSE(problems.empty()) << row.schema;
    bool said = false;
    for (const Problem& problem : problems) {
      said = said ||
             (problem.kind == row.kind && problem.message.find(row.message) != std::string::npos);
    }
    EXPECT_TRUE(said) << row.schema << ": " << problems[0].message;
  }
}

TEST(TextRules, AreNoKeywordsOfTools) {
  const auto program = Program::Compile(
      json::MustParse(R"({"path":{"under":["out"]},"plain":true})").root(), Dialect::kTool);
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_TRUE(program->Accepts(json::MustParse(R"("-x/../$y")").root()));
}

}  // namespace
}  // namespace tipstaff::schema
