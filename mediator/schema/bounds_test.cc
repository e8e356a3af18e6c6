// What keeps the work of a check within bounds, whoever wrote schema and value.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "mediator/schema/program.h"

namespace tipstaff::schema {
namespace {

Program Tool(absl::string_view schema) {
  const absl::StatusOr<Program> program =
      Program::Compile(json::MustParse(schema).root(), Dialect::kTool);
  EXPECT_TRUE(program.ok()) << program.status();
  return *program;
}

// d0 applies d1 twice, d1 applies d2 twice, and so on: 2^levels ways to the last.
std::string Doubling(int levels, absl::string_view group, absl::string_view last) {
  std::string text = absl::StrCat(R"({"$ref":"#/$defs/d0","$defs":{"d)", levels, "\":", last);
  for (int i = 0; i < levels; ++i) {
    const std::string next = absl::StrCat(R"({"minProperties":0,"$ref":"#/$defs/d)", i + 1, "\"}");
    absl::StrAppend(&text, ",\"d", i, "\":{\"", group, "\":[", next, ",", next, "]}");
  }
  return text + "}}";
}

TEST(Bounds, WaysThatMeetAreWalkedOnce) {
  const json::Document value = json::MustParse(R"({"a":1,"b":2,"c":3})");
  for (const char* group : {"allOf", "anyOf", "oneOf"}) {
    SCOPED_TRACE(group);
    EXPECT_FALSE(Tool(Doubling(40, group, R"({"type":"string"})")).Accepts(value.root()));
    const Tally tally = Tool(Doubling(40, group, R"({"type":"string"})")).CheckAll(value.root());
    EXPECT_EQ(tally.constraints, 1);
    ASSERT_TRUE(tally.first.has_value());
    EXPECT_EQ(tally.first->keyword, "type");
  }
  EXPECT_TRUE(Tool(Doubling(40, "allOf", R"({"type":"object"})")).Accepts(value.root()));
  EXPECT_TRUE(Tool(Doubling(40, "anyOf", R"({"type":"object"})")).Accepts(value.root()));
}

TEST(Bounds, WhatWasEvaluatedIsGatheredOnce) {
  std::string schema = Doubling(40, "allOf", R"({"properties":{"a":true,"b":true}})");
  schema.pop_back();
  const Program program = Tool(schema + R"(,"unevaluatedProperties":false})");
  EXPECT_TRUE(program.Accepts(json::MustParse(R"({"a":1,"b":2})").root()));
  const auto failure = program.Check(json::MustParse(R"({"a":1,"b":2,"c":3})").root());
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->pointer, "/c");
}

// Both branches lead to the same schema for the same member, level after level.
TEST(Bounds, BranchesThatMeetAgainBelowAreWalkedOnce) {
  const Program program = Tool(R"({"type":"object","anyOf":[
      {"properties":{"a":{"$ref":"#"}},"required":["x"]},
      {"properties":{"a":{"$ref":"#"}},"required":["y"]}]})");
  std::string text = "{}";
  for (int i = 0; i < 30; ++i) text = R"({"a":)" + text + "}";
  const json::Document value = json::MustParse(text);
  EXPECT_FALSE(program.Accepts(value.root()));
  const Tally tally = program.CheckAll(value.root());
  ASSERT_TRUE(tally.first.has_value());
  EXPECT_NE(tally.first->keyword, "");
}

TEST(Bounds, AValueThatTakesTooManyStepsDoesNotPass) {
  std::string schema = R"({"items":{"allOf":[)", array = "[0";
  for (int i = 0; i < 100; ++i) absl::StrAppend(&schema, i == 0 ? "" : ",", R"({"minimum":0})");
  for (int i = 1; i < 40'000; ++i) absl::StrAppend(&array, ",1");
  const Program program = Tool(schema + "]}}");
  const json::Document value = json::MustParse(array + "]");
  EXPECT_FALSE(program.Accepts(value.root()));
  const Tally tally = program.CheckAll(value.root());
  ASSERT_TRUE(tally.first.has_value());
  EXPECT_EQ(tally.first->expected, "a value that takes at most 2000000 steps to check");
  EXPECT_EQ(tally.first->found, "one that takes too many steps");
  EXPECT_FALSE(tally.first->scope);
  EXPECT_GT(tally.constraints, tally.scope_constraints);
  EXPECT_TRUE(program.Accepts(json::MustParse("[0,1,2]").root())) << "it is the value's size";
}

TEST(Bounds, DeepSchemasAndValuesTakeNoStack) {
  std::string schema = R"({"$ref":"#/$defs/d0","$defs":{"d3000":{"type":"null"})";
  for (int i = 0; i < 3000; ++i) {
    absl::StrAppend(&schema, ",\"d", i, R"(":{"minimum":1,"$ref":"#/$defs/d)", i + 1, "\"}");
  }
  const Program program = Tool(schema + "}}");
  EXPECT_TRUE(program.Accepts(json::MustParse("null").root()));
  EXPECT_FALSE(program.Accepts(json::MustParse("1").root()));
}

TEST(Bounds, LargeObjectsWithNamesAndPatterns) {
  std::string members = "{\"k\":0";
  for (int i = 1; i < 20'000; ++i) absl::StrAppend(&members, ",\"k", i, "\":", i);
  const json::Document value = json::MustParse(members + "}");
  EXPECT_TRUE(Tool(R"({"propertyNames":{"pattern":"^k"},"patternProperties":{"^k":{"minimum":0}},
                       "unevaluatedProperties":false})")
                  .Accepts(value.root()));
  EXPECT_EQ(Tool(R"({"propertyNames":{"maxLength":1}})").CheckAll(value.root()).constraints, 1);
}

// A list that a binding gives is put in order once: else this would take minutes.
TEST(Bounds, LongListsAreNotSearchedForEachValue) {
  std::string list = "[\"a.example\"", values = "[\"x@b.example\"";
  for (int i = 0; i < 20'000; ++i) {
    absl::StrAppend(&list, ",\"n", i, ".example\"");
    absl::StrAppend(&values, ",\"x@b.example\"");
  }
  const json::Document listed = json::MustParse(list + "]"), value = json::MustParse(values + "]");
  const json::Value bound[] = {listed.root()};
  const std::vector<Binding> bindings = {{"list", false, /*is_array=*/true}};
  for (const char* keyword : {"in", "email", "emailDomain"}) {
    SCOPED_TRACE(keyword);
    std::vector<Problem> problems;
    const json::Document schema = json::MustParse(absl::StrCat(
        R"({"type":"array","items":{"type":"string","not":{")", keyword, R"(":"$list"}}})"));
    const std::optional<Program> program = Program::Compile(
        schema.root(), {.dialect = Dialect::kSkill, .bindings = bindings}, problems);
    ASSERT_TRUE(program.has_value()) << problems[0].message;
    EXPECT_TRUE(program->Accepts(value.root(), bound));
  }
}

}  // namespace
}  // namespace tipstaff::schema
