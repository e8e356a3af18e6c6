#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "mediator/schema/program.h"

namespace tipstaff::schema {
namespace {

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
      {R"({"anyOf":[]})", ProblemKind::kBadValue, "/anyOf", "at least one schema"},
      {R"({"allOf":{}})", ProblemKind::kBadValue, "/allOf", "a list"},
      {R"({"oneOf":[{"type":"x"}]})", ProblemKind::kBadValue, "/oneOf/0/type", "unknown type"},
      {R"({"not":{}})", ProblemKind::kContradiction, "/not", "describes everything"},
      {R"({"if":true})", ProblemKind::kNeverApplies, "/if", "without `then` or `else`"},
      {R"({"then":true})", ProblemKind::kNeverApplies, "/then", "without `if`"},
      {R"({"type":"array","minContains":1})", ProblemKind::kNeverApplies, "/minContains",
       "without `contains`"},
      {R"({"type":"array","contains":true,"minContains":3,"maxContains":2})",
       ProblemKind::kContradiction, "/minContains", "nothing passes"},
      {R"({"type":"object","minProperties":3,"maxProperties":2})", ProblemKind::kContradiction,
       "/minProperties", "nothing passes"},
      {R"({"type":"object","dependentRequired":{"a":["b",1]}})", ProblemKind::kBadValue,
       "/dependentRequired", "lists of names"},
      {R"({"type":"object","dependentSchemas":[]})", ProblemKind::kBadValue, "/dependentSchemas",
       "from names to schemas"},
      {R"({"type":"object","patternProperties":{"(":true}})", ProblemKind::kBadPattern,
       "/patternProperties/(", "cannot be used"},
      {R"({"type":"object","patternProperties":5})", ProblemKind::kBadValue, "/patternProperties",
       "from patterns to schemas"},
      {R"({"type":"array","prefixItems":{}})", ProblemKind::kBadValue, "/prefixItems", "a list"},
      {R"({"type":"string","prefixItems":[true]})", ProblemKind::kNeverApplies, "/prefixItems",
       "says nothing about a string"},
      {R"({"$ref":5})", ProblemKind::kBadValue, "/$ref", "as a string"},
      {R"({"$ref":"#/$defs/a"})", ProblemKind::kBadValue, "/$ref", "there is no `$defs` in it"},
      {R"({"$ref":"#a"})", ProblemKind::kBadValue, "/$ref", "no `$anchor` of that name"},
      {R"({"$ref":"#%zz"})", ProblemKind::kBadValue, "/$ref", "two hexadecimal digits"},
      {R"({"$ref":"https://json-schema.org/draft/2020-12/schema"})", ProblemKind::kBadValue,
       "/$ref", "is not within this schema"},
      {R"({"$ref":"#"})", ProblemKind::kBadValue, "/$ref", "in a circle"},
      {R"({"$defs":{"a":{"typ":"string"}}})", ProblemKind::kUnknownKeyword, "/$defs/a/typ",
       "unknown keyword"},
      {R"({"$defs":[]})", ProblemKind::kBadValue, "/$defs", "from names to schemas"},
      {R"({"$id":5})", ProblemKind::kBadValue, "/$id", "a string"},
      {R"({"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}})", ProblemKind::kBadValue, "/$defs/b",
       "another schema has the anchor `x`"},
      {R"({"$schema":"http://json-schema.org/draft-07/schema#"})", ProblemKind::kBadValue,
       "/$schema", "leave `$schema` out"},
      {R"({"definitions":{}})", ProblemKind::kUnknownKeyword, "/definitions", "unknown keyword"},
      {R"({"sensitive":"yes"})", ProblemKind::kBadValue, "/sensitive", "takes true or false"},
      {R"({"type":"string","format":"emial"})", ProblemKind::kBadValue, "/format",
       "unknown format `emial`"},
      {R"({"type":"string","format":5})", ProblemKind::kBadValue, "/format", "name of a format"},
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
      {R"({"properties":{"a":{"anyOf":[true]},"b":{"$ref":"#"}}})", {}, "the whole language"},
      {R"({"$schema":"http://json-schema.org/draft-06/schema#","type":"string"})",
       {"/$schema"},
       "another draft is not checked"},
      {R"({"$schema":"http://json-schema.org/draft-07/schema","items":[true]})",
       {},
       "draft 7, with or without the #"},
      {R"({"properties":{"a":{"$recursiveRef":"#"}}})",
       {"/properties/a/$recursiveRef"},
       "a word of 2019-09"},
      {R"({"$defs":{"a":{"$ref":"nowhere"}}})", {}, "nothing refers to it"},
      {R"re({"pattern":"(?=a)"})re", {"/pattern"}, "a pattern that does not map"},
      {R"({"items":[true]})", {"/items"}, "older drafts' tuples"},
      {R"re({"patternProperties":{"(?=a)":true},"additionalProperties":{"type":"null"}})re",
       {"/patternProperties/(?=a)", "/additionalProperties"},
       "the pattern may cover a member"},
      {R"re({"patternProperties":{"(?=a)":true},"unevaluatedProperties":false})re",
       {"/patternProperties/(?=a)", "/unevaluatedProperties"},
       "the pattern may cover a member"},
      {R"re({"not":{"pattern":"(?=a)"}})re",
       {"/not/pattern", "/not"},
       "what is left of it describes too much"},
      {R"re({"not":{"properties":{"a":{"$ref":"#/$defs/p"}}},"$defs":{"p":{"pattern":"(?=a)"}}})re",
       {"/$defs/p/pattern", "/not"},
       "however deep"},
      {R"re({"oneOf":[{"pattern":"(?=a)"},true]})re",
       {"/oneOf/0/pattern", "/oneOf"},
       "more may match than should"},
      {R"re({"if":{"pattern":"(?=a)"},"then":false})re",
       {"/if/pattern", "/if"},
       "the condition is not known"},
      {R"re({"anyOf":[{"pattern":"(?=a)"}]})re", {"/anyOf/0/pattern"}, "it still refuses less"},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.reason);
    const absl::StatusOr<Program> program =
        Program::Compile(json::MustParse(row.schema).root(), Dialect::kTool);
    ASSERT_TRUE(program.ok()) << program.status();
    EXPECT_THAT(program->unchecked(), testing::ElementsAreArray(row.unchecked));
  }
}

TEST(Compile, WhatIsNotCheckedRefusesNothing) {
  for (const char* schema :
       {R"re({"patternProperties":{"(?=x)":true},"additionalProperties":false})re",
        R"re({"patternProperties":{"(?=x)":true},"unevaluatedProperties":false})re",
        R"re({"allOf":[{"patternProperties":{"(?=x)":true}}],"unevaluatedProperties":false})re",
        R"re({"not":{"properties":{"x1":{"pattern":"(?=a)"}}}})re",
        R"re({"oneOf":[{"properties":{"x1":{"pattern":"(?=a)"}}},true]})re",
        R"re({"if":{"properties":{"x1":{"pattern":"(?=a)"}}},"then":false})re",
        R"({"$schema":"http://json-schema.org/draft-04/schema#","type":"string"})",
        R"({"$schema":"https://example.com/of-my-own","type":"string"})"}) {
    const absl::StatusOr<Program> program =
        Program::Compile(json::MustParse(schema).root(), Dialect::kTool);
    ASSERT_TRUE(program.ok()) << schema << program.status();
    EXPECT_THAT(program->unchecked(), testing::Not(IsEmpty())) << schema;
    EXPECT_TRUE(program->Accepts(json::MustParse(R"({"x1":"1"})").root())) << schema;
  }
}

TEST(Compile, RefusesToolsSchemasThatCannotBeChecked) {
  struct Row {
    const char* schema;
    const char* pointer;
    const char* message;
  };
  const Row kRows[] = {
      {R"({"properties":{"a":{"$ref":"#/$defs/b"}}})", "/properties/a/$ref", "leads nowhere"},
      {R"({"properties":{"a":{"$ref":"http://example.com/a.json"}}})", "/properties/a/$ref",
       "`http://example.com/a.json` is not within this schema, and references are never fetched"},
      {R"({"$ref":"#/required","required":["a"]})", "", "a schema is a mapping"},
      {R"({"$ref":"#"})", "/$ref", "in a circle"},
      {R"({"anyOf":[{"type":"string"},{"allOf":[{"$ref":"#"}]}]})", "/anyOf/1/allOf/0/$ref", ""},
      {R"({"properties":{"a":{"$ref":"#/$defs/x"}},
           "$defs":{"x":{"$ref":"#/$defs/y"},"y":{"$ref":"#/$defs/x"}}})",
       "", "a circle"},
      {R"({"$dynamicAnchor":"n","allOf":[{"$dynamicRef":"#n"}]})", "/allOf/0/$dynamicRef",
       "circle"},
      {R"({"$ref":"https://json-schema.org/draft/2020-12/schema#/$defs/none"})", "/$ref",
       "leads nowhere"},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.schema);
    std::vector<Problem> problems;
    const json::Document schema = json::MustParse(row.schema);
    EXPECT_FALSE(Program::Compile(schema.root(), CompileOptions{}, problems).has_value());
    ASSERT_EQ(problems.size(), 1);
    EXPECT_EQ(problems[0].kind, ProblemKind::kBadValue);
    if (*row.pointer != '\0') {
      EXPECT_EQ(problems[0].pointer, row.pointer);
    }
    EXPECT_THAT(problems[0].message, HasSubstr(row.message));
  }
}

TEST(Compile, SpeaksOfTheReferenceToAnotherDocument) {
  const json::Document schema = json::MustParse(R"({"items":{"$ref":"http://example.com/a"}})");
  const json::Document bad = json::MustParse(R"({"properties":{"b":{"type":"text"}}})");
  const json::Document good = json::MustParse(R"({"properties":{"b":{"type":"null"}}})");
  SchemaDocument document{"http://example.com/a", bad.root()};
  CompileOptions options;
  options.documents = absl::MakeConstSpan(&document, 1);
  std::vector<Problem> problems;
  EXPECT_FALSE(Program::Compile(schema.root(), options, problems).has_value());
  ASSERT_EQ(problems.size(), 1);
  EXPECT_EQ(problems[0].pointer, "/items/$ref");
  EXPECT_EQ(problems[0].message,
            "in `http://example.com/a` at `/properties/b/type`: unknown type `text`: use string, "
            "integer, number, boolean, array, object or null");
  const uint32_t reference = schema.root().Find("items").Find("$ref").index();
  EXPECT_EQ(problems[0].at.index(), reference);

  problems.clear();
  document.schema = good.root();
  const auto program = Program::Compile(schema.root(), options, problems);
  ASSERT_TRUE(program.has_value());
  const auto failure = program->Check(json::MustParse(R"([{"b":1}])").root());
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->pointer, "/0/b");
  EXPECT_EQ(failure->origin, reference);
}

// 2^k sets of dynamic anchors, were they all made.
TEST(Compile, BoundsWhatReferencesMake) {
  std::string text = R"({"$ref":"r0","$defs":{)";
  for (int i = 0; i < 24; ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ",", "\"r", i, R"(":{"$id":"r)", i,
                    R"(","$dynamicRef":"#own","properties":{)");
    for (int j = 0; j < 24; ++j) {
      absl::StrAppend(&text, j == 0 ? "" : ",", "\"", j, R"(":{"$ref":"r)", j, "\"}");
    }
    absl::StrAppend(&text, R"(},"$defs":{"own":{"$dynamicAnchor":"own"},"b":{"$dynamicAnchor":"b)",
                    i, "\"}}}");
  }
  const absl::StatusOr<Program> program =
      Program::Compile(json::MustParse(text + "}}").root(), Dialect::kTool);
  EXPECT_EQ(program.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(program.status().message()), HasSubstr("more than 500 sets"));
}

TEST(Compile, ReportsAToolsMistake) {
  const absl::StatusOr<Program> program = Program::Compile(
      json::MustParse(R"({"properties":{"a":{"type":"strnig"}}})").root(), Dialect::kTool);
  EXPECT_EQ(program.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(program.status().message()),
              HasSubstr("at `/properties/a/type` of the schema: unknown type `strnig`"));
}

// Each item's schema is a new one.
TEST(Compile, BoundsTheNumberOfSchemas) {
  std::string text = R"({"anyOf":[true)";
  for (int i = 0; i < 20'001; ++i) absl::StrAppend(&text, ",{}");
  const absl::StatusOr<Program> program =
      Program::Compile(json::MustParse(text + "]}").root(), Dialect::kTool);
  EXPECT_EQ(program.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(program.status().message()), HasSubstr("more than 20000 schemas"));
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
