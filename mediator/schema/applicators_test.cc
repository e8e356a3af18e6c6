// Schemas that apply to the same value: what is said of a failure, and when it is one of scope.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "mediator/schema/program.h"

namespace tipstaff::schema {
namespace {

using testing::HasSubstr;

const Binding kBindings[] = {{.name = "report", .in_scope = true},
                             {.name = "people", .in_scope = true, .is_array = true}};

Program Compiled(absl::string_view schema, Dialect dialect = Dialect::kTool) {
  std::vector<Problem> problems;
  auto program = Program::Compile(json::MustParse(schema).root(),
                                  {.dialect = dialect, .bindings = kBindings}, problems);
  std::string why;
  for (const Problem& problem : problems) absl::StrAppend(&why, problem.message, "; ");
  EXPECT_TRUE(program.has_value()) << schema << ": " << why;
  return *std::move(program);
}

TEST(Applicators, ReportTheMostUsefulFailure) {
  struct Row {
    const char* schema;
    const char* value;
    const char* pointer;
    const char* keyword;
    const char* expected;
    const char* found;
  };
  const Row kRows[] = {
      {R"({"allOf":[{"type":"object"},{"minProperties":2}]})", R"({"a":1})", "", "minProperties",
       "at least 2 members", "1 member"},
      {R"({"properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"integer"}}})",
       R"({"a":"x"})", "/a", "type", "an integer", "a string"},
      {R"({"anyOf":[{"type":"string"},{"type":"object","properties":{"a":{"type":"null"}}}]})",
       R"({"a":1})", "/a", "type", "null, or another schema of `anyOf`", "1"},
      {R"({"anyOf":[{"required":["x","y"]},{"required":["z"]}]})", "{}", "/z", "required",
       "the member `z`, or another schema of `anyOf`", "nothing"},
      {R"({"anyOf":[{"type":"string"}]})", "1", "", "type", "a string", "1"},
      {R"({"oneOf":[{"type":"integer"},{"minimum":2}]})", "3", "", "oneOf",
       "a match of exactly one schema of `oneOf`", "a match of 2 or more"},
      {R"({"oneOf":[{"type":"string"},{"type":"null"}]})", "3", "", "type",
       "a string, or another schema of `oneOf`", "3"},
      {R"({"not":{"type":"string"}})", R"("a")", "", "not", "a value unlike what `not` describes",
       "`a`"},
      {R"({"if":{"required":["a"]},"then":{"required":["b"]}})", R"({"a":1})", "/b", "required",
       "the member `b`", "nothing"},
      {R"({"if":{"required":["a"]},"else":{"required":["b"]}})", "{}", "/b", "required",
       "the member `b`", "nothing"},
      {R"({"dependentSchemas":{"a":{"maxProperties":1}}})", R"({"a":1,"b":2})", "", "maxProperties",
       "at most 1 member", "2 members"},
      {R"({"dependentRequired":{"a":["c","b"]}})", R"({"a":1})", "/b", "dependentRequired",
       "the member `b` beside `a`", "nothing"},
      {R"({"contains":{"type":"null"}})", "[1,2]", "", "contains",
       "at least 1 item as `contains` asks for", "0 such items"},
      {R"({"contains":{"type":"null"},"minContains":2})", "[1,null]", "", "minContains",
       "at least 2 items as `contains` asks for", "1 such item"},
      {R"({"contains":{"type":"null"},"maxContains":1})", "[null,null]", "", "maxContains",
       "at most 1 item as `contains` asks for", "2 such items"},
      {R"({"prefixItems":[{"type":"null"}],"items":false})", "[null,1]", "/1", "type", "nothing",
       "1"},
      {R"({"propertyNames":{"maxLength":1}})", R"({"a":1,"b~b":2})", "/b~0b", "maxLength",
       "at most 1 character", "3 characters"},
      {R"({"patternProperties":{"^n":{"type":"null"}},"additionalProperties":false})",
       R"({"n1":null,"m":1})", "/m", "additionalProperties",
       "one of the members that `properties` lists", "1"},
      {R"({"patternProperties":{"^n":{"type":"null"}}})", R"({"n1":1})", "/n1", "type", "null",
       "1"},
      {R"({"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false})", R"({"a":1,"b":2})",
       "/b", "unevaluatedProperties", "one of the members that the schema describes", "2"},
      {R"({"allOf":[{"prefixItems":[true]}],"unevaluatedItems":{"type":"null"}})", "[1,2]", "/1",
       "type", "null", "2"},
      {R"({"allOf":[{"prefixItems":[true]}],"unevaluatedItems":false})", "[1,2]", "/1",
       "unevaluatedItems", "no more items than the schema describes", "2"},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(absl::StrCat(row.schema, " of ", row.value));
    const Program program = Compiled(row.schema);
    const json::Document value = json::MustParse(row.value);
    EXPECT_FALSE(program.Accepts(value.root()));
    const std::optional<Failure> failure = program.Check(value.root());
    ASSERT_TRUE(failure.has_value());
    EXPECT_EQ(failure->pointer, row.pointer);
    EXPECT_EQ(failure->keyword, row.keyword);
    EXPECT_EQ(failure->expected, row.expected);
    EXPECT_EQ(failure->found, row.found);
  }
}

TEST(Applicators, TheOrderInTheFileDoesNotMatter) {
  const char* kSchemas[] = {
      R"({"properties":{"a":{"type":"null"},"b":{"type":"null"}},"not":{"minProperties":2},
          "dependentSchemas":{"a":{"maxProperties":1},"b":{"required":["z"]}},
          "if":{"required":["a"]},"then":{"required":["y"]},
          "patternProperties":{"a":{"minimum":5},"b":{"minimum":9}},
          "anyOf":[{"required":["q"]},{"required":["r","s"]}]})",
      R"({"anyOf":[{"required":["q"]},{"required":["s","r"]}],"then":{"required":["y"]},
          "patternProperties":{"b":{"minimum":9},"a":{"minimum":5}},
          "dependentSchemas":{"b":{"required":["z"]},"a":{"maxProperties":1}},
          "if":{"required":["a"]},
          "not":{"minProperties":2},"properties":{"b":{"type":"null"},"a":{"type":"null"}}})"};
  std::set<std::string> said;
  for (const char* schema : kSchemas) {
    const Program program = Compiled(schema);
    for (const char* value : {R"({"a":1,"b":2})", R"({"b":2,"a":1})"}) {
      const Tally tally = program.CheckAll(json::MustParse(value).root());
      ASSERT_TRUE(tally.first.has_value());
      EXPECT_EQ(tally.constraints, 9);
      said.insert(absl::StrCat(tally.first->pointer, " ", tally.first->keyword, " ",
                               tally.first->expected));
    }
  }
  EXPECT_THAT(said,
              testing::ElementsAre("/q required the member `q`, or another schema of `anyOf`"));
}

TEST(Applicators, OnlyWhatIsUnconditionalIsOfScope) {
  struct Row {
    const char* schema;
    size_t constraints, scope;
    const char* reason;
  };
  const Row kRows[] = {
      {R"({"equals":"$report"})", 1, 1, "plainly"},
      {R"({"allOf":[{"equals":"$report"}]})", 1, 1, "allOf always holds"},
      {R"({"$ref":"#/$defs/r","$defs":{"r":{"equals":"$report"}}})", 1, 1, "as does a reference"},
      {R"({"allOf":[{"equals":"$report"},{"in":"$people"}]})", 2, 2, "both"},
      {R"({"anyOf":[{"equals":"$report"},{"in":"$people"}]})", 1, 0, "either would do"},
      {R"({"anyOf":[{"equals":"$report"}]})", 1, 0, "even when there is but one"},
      {R"({"oneOf":[{"equals":"$report"},{"in":"$people"}]})", 1, 0, "one of them"},
      {R"({"not":{"not":{"equals":"$report"}}})", 1, 0, "the contrary of the contrary"},
      {R"({"if":true,"then":{"equals":"$report"}})", 1, 0, "on a condition"},
      {R"({"if":false,"then":true,"else":{"equals":"$report"}})", 1, 0, "on a condition"},
      {R"({"anyOf":[{"allOf":[{"equals":"$report"}]}]})", 1, 0, "what is within a branch too"},
      {R"({"equals":"$report","anyOf":[{"in":"$people"}]})", 2, 1, "one of each"},
      {R"({"$ref":"#/$defs/r","anyOf":[{"$ref":"#/$defs/r"}],
           "$defs":{"r":{"equals":"$report"}}})",
       2, 1, "the same one, asked for both ways"},
  };
  const json::Document bound = json::MustParse(R"(["rep_a", ["dana"]])");
  const std::vector<json::Value> given = {bound.root().At(0), bound.root().At(1)};
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.reason);
    const Program program = Compiled(row.schema, Dialect::kSkill);
    const Tally tally = program.CheckAll(json::MustParse(R"("rep_b")").root(), given);
    EXPECT_EQ(tally.constraints, row.constraints);
    EXPECT_EQ(tally.scope_constraints, row.scope);
    ASSERT_TRUE(tally.first.has_value());
    EXPECT_EQ(tally.first->scope, row.constraints == row.scope);
  }
}

// `unevaluated...` and the rule for text were not asked where anything else had failed, so that a
// call with an argument too many counted as one that was only out of scope.
TEST(Applicators, WhatIsAskedLastIsAskedAfterAFailureOfScopeToo) {
  const json::Document bound = json::MustParse(R"(["rep_a", ["dana"]])");
  const std::vector<json::Value> given = {bound.root().At(0), bound.root().At(1)};
  struct Row {
    const char* schema;
    const char* value;
    size_t constraints, scope;
    const char* reason;
  };
  const Row kRows[] = {
      {R"({"type":"object","properties":{"a":{"equals":"$report"}},"unevaluatedProperties":false})",
       R"({"a":"x","b":1})", 2, 1, "a member that no schema looks at"},
      {R"({"type":"object","properties":{"a":{"equals":"$report"}},"unevaluatedProperties":false})",
       R"({"a":"x"})", 1, 1, "one that failed was looked at"},
      {R"({"type":"array","prefixItems":[{"in":"$people"}],"unevaluatedItems":false})",
       R"(["x",1])", 2, 1, "an item that no schema looks at"},
      {R"({"equals":"$report","allOf":[{"type":"string"}]})", R"("x\n")", 2, 1, "no line"},
      {R"({"type":"object","allOf":[{"properties":{"a":{"equals":"$report"}}}],
           "unevaluatedProperties":false})",
       R"({"a":"x","b":1})", 1, 1, "what a schema that failed looks at is not known"},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.reason);
    const Tally tally =
        Compiled(row.schema, Dialect::kSkill).CheckAll(json::MustParse(row.value).root(), given);
    EXPECT_EQ(tally.constraints, row.constraints);
    EXPECT_EQ(tally.scope_constraints, row.scope);
  }
}

// A name that is no line was let through when `$ref` stood alone, and refused with anything beside
// it.
TEST(Applicators, PropertiesListNamesWhicheverWayTheyAreReached) {
  struct Row {
    const char* schema;
    bool accepts;
    const char* reason;
  };
  const Row kRows[] = {
      {R"({"type":"object","properties":{"k\n":{}}})", true, "itself"},
      {R"({"$ref":"#/$defs/s","$defs":{"s":{"type":"object","properties":{"k\n":{}}}}})", true,
       "by a reference"},
      {R"({"minProperties":1,"type":"object","$ref":"#/$defs/s",
           "$defs":{"s":{"type":"object","properties":{"k\n":{}}}}})",
       true, "by a reference with something beside it"},
      {R"({"type":"object","anyOf":[{"properties":{"k\n":{}}},{"properties":{"a":{}}}]})", true,
       "in a branch that passes"},
      {R"({"type":"object","anyOf":[{"properties":{"k\n":{"type":"string"}}},{"minProperties":1}]})",
       false, "in a branch that does not pass"},
      {R"({"type":"object","not":{"properties":{"k\n":{"type":"string"}}}})", false, "in a `not`"},
      {R"({"type":"object","patternProperties":{"^k":{}}})", false, "a pattern lists no name"},
  };
  for (const Row& row : kRows) {
    const json::Document value = json::MustParse(R"({"k\n":1})");
    EXPECT_EQ(Compiled(row.schema, Dialect::kSkill).Accepts(value.root()), row.accepts)
        << row.reason;
  }
}

TEST(Applicators, PartsOfAConditionAreNotOfScope) {
  const json::Document bound = json::MustParse(R"(["rep_a", ["dana"]])");
  const std::vector<json::Value> given = {bound.root().At(0), bound.root().At(1)};
  struct Row {
    const char* schema;
    const char* value;
    const char* pointer;
    size_t scope;
  };
  const Row kRows[] = {
      {R"({"type":"object","dependentSchemas":{"a":{"properties":{"a":{"equals":"$report"}}}}})",
       R"({"a":"x"})", "/a", 0},
      {R"({"type":"array","contains":{"in":"$people"}})", R"(["x"])", "", 0},
      {R"({"type":"object","allOf":[{"properties":{"a":{"equals":"$report"}}}]})", R"({"a":"x"})",
       "/a", 1},
      {R"({"type":"array","prefixItems":[{"equals":"$report"}]})", R"(["x"])", "/0", 1},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.schema);
    const Tally tally =
        Compiled(row.schema, Dialect::kSkill).CheckAll(json::MustParse(row.value).root(), given);
    EXPECT_EQ(tally.constraints, 1);
    EXPECT_EQ(tally.scope_constraints, row.scope);
    ASSERT_TRUE(tally.first.has_value());
    EXPECT_EQ(tally.first->pointer, row.pointer);
  }
}

// The default speaks about each string that nothing else speaks about, whichever way it is reached.
TEST(Applicators, TextIsALineUnlessASchemaThatPassesSaysOtherwise) {
  struct Row {
    const char* schema;
    const char* value;
    bool passes;
    const char* reason;
  };
  const Row kRows[] = {
      {R"({"allOf":[{"type":"string","text":"lines"}]})", R"("a\nb")", true, "allOf says so"},
      {R"({"type":"string","text":"lines","allOf":[{"maxLength":9}]})", R"("a\nb")", true,
       "the branch says nothing"},
      {R"({"type":"string","allOf":[{"maxLength":9}]})", R"("a\nb")", false, "nobody says so"},
      {R"({"type":"string","text":"lines","allOf":[{"text":"line"}]})", R"("a\nb")", false,
       "both hold"},
      {R"({"anyOf":[{"type":"string","text":"lines","maxLength":2},{"type":"string"}]})",
       R"("a\nb")", false, "the branch that says so does not pass"},
      {R"({"anyOf":[{"type":"string"},{"type":"string","text":"lines"}]})", R"("a\nb")", true,
       "a later branch passes and says so"},
      {R"({"not":{"type":"string","text":"lines","maxLength":2}})", R"("a\nb")", false,
       "what is refused says nothing"},
      {R"({"$ref":"#/$defs/note","$defs":{"note":{"type":"string","text":"lines"}}})", R"("a\nb")",
       true, "the reference says so"},
      {R"({"type":"object","properties":{"a":{"$ref":"#/$defs/s"}},
           "$defs":{"s":{"type":"string"}}})",
       R"({"a":"\n"})", false, "a reference that does not"},
      {R"({"if":{"type":"string","maxLength":1},"then":{"text":"any"}})", R"("\n")", true, "then"},
      {R"({"if":{"type":"string","maxLength":1},"then":{"text":"any"}})", R"("\n\n")", false,
       "no else"},
      {R"({"type":"object","allOf":[{"properties":{"a":{"type":"string","text":"any"}}}]})",
       R"({"a":"\n"})", true, "a member that a branch describes"},
      {R"({"type":"object","allOf":[{"properties":{"a":{"type":"string","text":"any"}}}]})",
       R"({"a":"\n","b":["\n"]})", false, "and one that none does"},
      {R"({"type":"object","properties":{"b":{"type":"string","text":"any"}},
           "allOf":[{"properties":{"a":true}}]})",
       R"({"b":"\n"})", true, "the branch does not judge what it does not describe"},
      {R"({"type":"object","patternProperties":{"^a":{"type":"string","text":"any"}}})",
       R"({"a":"\n"})", true, "a pattern's schema decides"},
      {R"({"type":"object","patternProperties":{"^a":{"type":"string"}}})", R"({"a":"\n"})", false,
       "by itself too"},
      {R"({"type":"object","patternProperties":{"^a":{"type":"string","text":"any"}}})",
       R"({"a\n":"x"})", false, "but the names are the object's"},
      {R"({"type":"object","propertyNames":{"maxLength":9}})", R"({"a":["\n"]})", false,
       "names alone do not describe a member"},
      {R"({"type":"array","prefixItems":[{"type":"string","text":"any"}]})", R"(["\n"])", true,
       "the first item's schema decides"},
      {R"({"type":"array","prefixItems":[{"type":"string","text":"any"}]})", R"(["\n","\n"])",
       false, "the others are the array's"},
      {R"({"type":"array","contains":{"type":"integer"}})", R"([1,"\n"])", false,
       "contains does not describe the others"},
      {R"({"type":"object","unevaluatedProperties":{"type":"string","text":"any"}})",
       R"({"a":"\n"})", true, "unevaluated members have a schema"},
      {R"({"type":"object","text":"any","allOf":[{"minProperties":1}]})", R"({"a":"\n"})", true,
       "any, and a branch that says nothing"},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(absl::StrCat(row.schema, ": ", row.reason));
    const Program program = Compiled(row.schema, Dialect::kSkill);
    const json::Document value = json::MustParse(row.value);
    EXPECT_EQ(program.Accepts(value.root()), row.passes);
    const std::optional<Failure> failure = program.Check(value.root());
    ASSERT_EQ(!failure.has_value(), row.passes);
  }
}

TEST(Applicators, FormatConstrainsWhereItIsAsserted) {
  const char* schema = R"({"type":"string","format":"date"})";
  const json::Document bad = json::MustParse(R"("2026-02-30")");
  EXPECT_TRUE(Compiled(schema).Accepts(bad.root())) << "an annotation in a tool's schema";
  const auto failure = Compiled(schema, Dialect::kSkill).Check(bad.root());
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->keyword, "format");
  EXPECT_EQ(failure->expected, "a date as 2026-05-01");
  EXPECT_EQ(failure->found, "`2026-02-30`");
  std::vector<Problem> problems;
  const auto asserted = Program::Compile(json::MustParse(schema).root(),
                                         CompileOptions{.assert_formats = true}, problems);
  ASSERT_TRUE(asserted.has_value());
  EXPECT_FALSE(asserted->Accepts(bad.root()));
  const auto own = Program::Compile(json::MustParse(R"({"format":"of-my-own"})").root(),
                                    CompileOptions{.assert_formats = true}, problems);
  ASSERT_TRUE(own.has_value());
  EXPECT_THAT(own->unchecked(), testing::ElementsAre("/format"));
}

// The names of the first object made room for those of the second before the first was described.
TEST(Applicators, ANameThatFailedIsDescribedAfterOthersWereChecked) {
  const Program program = Compiled(R"({"items":{"propertyNames":{"maxLength":3}}})");
  const std::string name(40, 'n');
  const json::Document value =
      json::MustParse(absl::StrCat(R"([{")", name, R"(":1},{"a":1,"b":2},{"c":3}])"));
  const std::optional<Failure> failure = program.Check(value.root());
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->pointer, absl::StrCat("/0/", name));
  EXPECT_EQ(failure->found, "40 characters");
}

TEST(Applicators, InheritTheTypeThatLintAsksAbout) {
  for (const char* schema :
       {R"({"type":"string","allOf":[{"maxLength":5}]})",
        R"({"anyOf":[{"type":"string","allOf":[{"maxLength":5}]},{"const":5}]})",
        R"({"type":"string","$ref":"#/$defs/short","$defs":{"short":{"type":"string"}}})"}) {
    std::vector<Problem> problems;
    ASSERT_TRUE(
        Program::Compile(json::MustParse(schema).root(), {.dialect = Dialect::kSkill}, problems)
            .has_value());
    EXPECT_THAT(problems, testing::IsEmpty()) << schema;
  }
  std::vector<Problem> problems;
  EXPECT_FALSE(
      Program::Compile(json::MustParse(R"({"type":"array","allOf":[{"maxLength":5}]})").root(),
                       {.dialect = Dialect::kSkill}, problems)
          .has_value());
  ASSERT_EQ(problems.size(), 1);
  EXPECT_EQ(problems[0].kind, ProblemKind::kNeverApplies);
  EXPECT_THAT(problems[0].message, HasSubstr("says nothing about an array"));
}

}  // namespace
}  // namespace tipstaff::schema
