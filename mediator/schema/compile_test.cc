#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/json/parse.h"
#include "mediator/schema/program.h"

namespace tipstaff::schema {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Binding kBindings[] = {{.name = "report_id", .in_scope = true},
                             {.name = "reviewers", .in_scope = true, .is_array = true}};
const CompileOptions kSkillOptions = {.dialect = Dialect::kSkill, .bindings = kBindings};

TEST(Compile, RefusesBadSkillSchemas) {
  struct Row {
    const char* schema;
    ProblemKind kind;
    const char* pointer;
    const char* message;
  };
  const Row kRows[] = {
      {R"({"type":"string","maxByte":5})", ProblemKind::kUnknownKeyword, "/maxByte",
       "unknown keyword `maxByte`"},
      {R"({"anyOf":[true]})", ProblemKind::kUnsupportedKeyword, "/anyOf", "does not support"},
      {R"({"sensitive":true})", ProblemKind::kUnsupportedKeyword, "/sensitive", "not support"},
      {R"({"type":"string","format":"email"})", ProblemKind::kUnsupportedKeyword, "/format",
       "does not support `format`"},
      {R"(5)", ProblemKind::kBadValue, "", "a schema is a mapping of keywords, not an integer"},
      {R"({"type":"text"})", ProblemKind::kBadValue, "/type", "unknown type `text`"},
      {R"({"type":[]})", ProblemKind::kBadValue, "/type", "a list of names"},
      {R"({"type":7})", ProblemKind::kBadValue, "/type", "unknown type: use"},
      {R"({"type":"string","maxLength":-1})", ProblemKind::kBadValue, "/maxLength", "negative"},
      {R"({"type":"string","maxLength":1.5})", ProblemKind::kBadValue, "/maxLength", "whole"},
      {R"({"type":"string","maxLength":"5"})", ProblemKind::kBadValue, "/maxLength", "whole"},
      {R"({"type":"number","minimum":"5"})", ProblemKind::kBadValue, "/minimum", "a number"},
      {R"({"type":"number","multipleOf":0})", ProblemKind::kBadValue, "/multipleOf", "over 0"},
      {R"({"type":"array","uniqueItems":1})", ProblemKind::kBadValue, "/uniqueItems", "true"},
      {R"({"enum":[]})", ProblemKind::kBadValue, "/enum", "at least one"},
      {R"({"enum":"a"})", ProblemKind::kBadValue, "/enum", "a list"},
      {R"({"in":[]})", ProblemKind::kBadValue, "/in", "at least one"},
      {R"({"in":"a"})", ProblemKind::kBadValue, "/in", "a list, or a binding"},
      {R"({"in":"$report_id"})", ProblemKind::kBadValue, "/in", "is not an array"},
      {R"({"type":"string","text":"many"})", ProblemKind::kBadValue, "/text", "line, lines"},
      {R"({"type":"string","pattern":5})", ProblemKind::kBadValue, "/pattern", "as a string"},
      {R"({"type":"object","required":"a"})", ProblemKind::kBadValue, "/required", "a list"},
      {R"({"type":"object","properties":[]})", ProblemKind::kBadValue, "/properties",
       "from names to schemas"},
      {R"({"type":"object","properties":{"a/b":{"type":"x"}}})", ProblemKind::kBadValue,
       "/properties/a~1b/type", "unknown type"},
      {R"({"type":"array","items":[true]})", ProblemKind::kBadValue, "/items", "not an array"},
      {R"re({"type":"string","pattern":"(?=a)"})re", ProblemKind::kBadPattern, "/pattern",
       "look-around"},
      {R"({"type":"string","pattern":"a{2000}"})", ProblemKind::kBadPattern, "/pattern",
       "cannot be used: "},
      {R"re({"type":"string","pattern":"(a"})re", ProblemKind::kBadPattern, "/pattern", "missing"},
      {R"re({"type":"string","pattern":"((a{1000}){1000}){1000}"})re", ProblemKind::kBadPattern,
       "/pattern", "cannot be used: "},
      {R"({"equals":"$report"})", ProblemKind::kUnknownBinding, "/equals", "`$report`"},
      {R"({"equals":"$"})", ProblemKind::kMisplacedBinding, "/equals", "`$$` for a literal"},
      {R"({"equals":["$report_id"]})", ProblemKind::kMisplacedBinding, "/equals", "within"},
      {R"({"const":"$report_id"})", ProblemKind::kMisplacedBinding, "/const",
       "use `equals` or `in`"},
      {R"({"enum":["a","$report_id"]})", ProblemKind::kMisplacedBinding, "/enum", "`in`"},
      {R"({"type":"string","minLength":3,"maxLength":2})", ProblemKind::kContradiction,
       "/minLength", "nothing passes"},
      {R"({"type":"number","minimum":2,"exclusiveMaximum":2})", ProblemKind::kContradiction,
       "/minimum", "nothing passes"},
      {R"({"type":"string","enum":["a",1]})", ProblemKind::kContradiction, "/enum",
       "asks for a string"},
      {R"({"type":"object","properties":{},"required":["a"],"additionalProperties":false})",
       ProblemKind::kContradiction, "/required", "not among"},
      {R"({"type":"array","maxLength":5})", ProblemKind::kNeverApplies, "/maxLength",
       "says nothing about an array"},
      {R"({"type":"integer","text":"any"})", ProblemKind::kNeverApplies, "/text",
       "says nothing about an integer"},
      {R"({"maxBytes":5})", ProblemKind::kUntyped, "/maxBytes", "everything but a string passes"},
      {R"({"items":true})", ProblemKind::kUntyped, "/items", "everything but an array passes"},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.schema);
    const json::Document schema = json::MustParse(row.schema);
    std::vector<Problem> problems;
    const auto program = Program::Compile(schema.root(), kSkillOptions, problems);
    EXPECT_EQ(program.has_value(), row.kind == ProblemKind::kUntyped);
    ASSERT_EQ(problems.size(), 1);
    EXPECT_EQ(problems[0].kind, row.kind);
    EXPECT_EQ(problems[0].pointer, row.pointer);
    EXPECT_THAT(problems[0].message, HasSubstr(row.message));
  }
}

TEST(Compile, NamesTheKnownWords) {
  const json::Document schema = json::MustParse(R"({"type":"string","maxByte":5})");
  std::vector<Problem> problems;
  EXPECT_FALSE(Program::Compile(schema.root(), kSkillOptions, problems).has_value());
  ASSERT_EQ(problems.size(), 1);
  EXPECT_EQ(problems[0].wrong, "maxByte");
  EXPECT_TRUE(problems[0].at_key);
  EXPECT_EQ(problems[0].at.index(), schema.root().Find("maxByte").index());
  EXPECT_THAT(problems[0].candidates, testing::Contains("maxBytes"));
}

TEST(Compile, ReadsToolsSchemasAsTheStandardDoes) {
  struct Row {
    const char* schema;
    std::vector<std::string> unchecked;
    const char* reason;
  };
  const Row kRows[] = {
      {R"({"type":"object","x-own":1,"equals":"$a","format":"date","title":"T","$defs":{}})",
       {},
       "unknown keywords and annotations say nothing"},
      {R"({"maxBytes":"x","in":3})", {}, "scope keywords are not a tool's"},
      {R"({"properties":{"a":{"anyOf":[true]},"b":{"$ref":"#"}}})",
       {"/properties/a/anyOf", "/properties/b/$ref"},
       "what is not checked is named"},
      {R"re({"pattern":"(?=a)"})re", {"/pattern"}, "a pattern that does not map"},
      {R"({"items":[true]})", {"/items"}, "older drafts' tuples"},
      {R"({"prefixItems":[true],"items":false})",
       {"/prefixItems", "/items"},
       "items begins after them"},
      {R"({"patternProperties":{"a":true},"additionalProperties":{"type":"null"}})",
       {"/patternProperties", "/additionalProperties"},
       "they may cover a member"},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.reason);
    const absl::StatusOr<Program> program =
        Program::Compile(json::MustParse(row.schema).root(), Dialect::kTool);
    ASSERT_TRUE(program.ok()) << program.status();
    EXPECT_THAT(program->unchecked(), testing::ElementsAreArray(row.unchecked));
  }
}

TEST(Compile, MembersThatPatternsMayCoverAreNotRefused) {
  const absl::StatusOr<Program> program = Program::Compile(
      json::MustParse(R"({"patternProperties":{"^x":true},"additionalProperties":false})").root(),
      Dialect::kTool);
  ASSERT_TRUE(program.ok());
  EXPECT_THAT(program->unchecked(), ElementsAre("/patternProperties", "/additionalProperties"));
  EXPECT_TRUE(program->Accepts(json::MustParse(R"({"x1":1})").root()));
}

TEST(Compile, ReportsAToolsMistake) {
  const absl::StatusOr<Program> program = Program::Compile(
      json::MustParse(R"({"properties":{"a":{"type":"strnig"}}})").root(), Dialect::kTool);
  EXPECT_EQ(program.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(program.status().message()),
              HasSubstr("at `/properties/a/type` of the schema: unknown type `strnig`"));
}

TEST(Compile, BoundsTheNestingOfSchemas) {
  std::string text = "true";
  for (int i = 0; i < 40; ++i) text = R"({"items":)" + text + "}";
  const absl::StatusOr<json::Document> deep = json::Parse(text, {.max_depth = 64});
  ASSERT_TRUE(deep.ok());
  EXPECT_THAT(std::string(Program::Compile(deep->root(), Dialect::kTool).status().message()),
              HasSubstr("nests too deep"));
}

TEST(CompileArguments, KnowsOptional) {
  std::vector<Problem> problems;
  const json::Document bad = json::MustParse(R"({"a":{"type":"string","optional":"yes"}})");
  EXPECT_FALSE(Program::CompileArguments(bad.root(), kSkillOptions, problems).has_value());
  ASSERT_EQ(problems.size(), 1);
  EXPECT_EQ(problems[0].pointer, "/a/optional");

  problems.clear();
  const json::Document nested =
      json::MustParse(R"({"a":{"type":"object","properties":{"b":{"optional":true}}}})");
  EXPECT_FALSE(Program::CompileArguments(nested.root(), kSkillOptions, problems).has_value());
  ASSERT_EQ(problems.size(), 1) << "only an argument is optional; members use `required`";
  EXPECT_EQ(problems[0].kind, ProblemKind::kUnknownKeyword);

  problems.clear();
  EXPECT_FALSE(
      Program::CompileArguments(json::MustParse("[]").root(), kSkillOptions, problems).has_value());
  EXPECT_THAT(problems, testing::SizeIs(1));
}

}  // namespace
}  // namespace tipstaff::schema
