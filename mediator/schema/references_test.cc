#include "mediator/schema/references.h"

#include <gtest/gtest.h>

#include "mediator/json/parse.h"

namespace tipstaff::schema {
namespace {

const Binding kBindings[] = {{.name = "report", .in_scope = true},
                             {.name = "people", .in_scope = true, .is_array = true},
                             {.name = "tenant"}};

TEST(ReadOperand, TellsReferencesFromText) {
  const json::Document document =
      json::MustParse(R"(["$report", "$$report", "$", "$ 5", "$9", "cost $5", "", 5])");
  const auto read = [&](size_t i) { return ReadOperand(document.root().At(i)); };
  EXPECT_EQ(read(0).kind, Operand::Kind::kReference);
  EXPECT_EQ(read(0).text, "report");
  EXPECT_EQ(read(1).kind, Operand::Kind::kLiteral);
  EXPECT_EQ(read(1).text, "$report");
  EXPECT_EQ(read(2).kind, Operand::Kind::kUnclear);
  EXPECT_EQ(read(3).kind, Operand::Kind::kUnclear);
  EXPECT_EQ(read(4).kind, Operand::Kind::kUnclear);
  EXPECT_EQ(read(5).kind, Operand::Kind::kLiteral);
  EXPECT_EQ(read(5).text, "cost $5");
  EXPECT_EQ(read(6).kind, Operand::Kind::kLiteral);
  EXPECT_EQ(read(7).kind, Operand::Kind::kLiteral);
}

TEST(IsBoundToScope, AsksForWhatNoValueEscapes) {
  struct Row {
    const char* schema;
    bool bound;
    const char* reason;
  };
  const Row kRows[] = {
      {R"({"equals":"$report"})", true, "equal to a binding in scope"},
      {R"({"in":"$people"})", true, "one of a binding in scope"},
      {R"({"in":["$report"]})", true, "a list of bindings in scope"},
      {R"({"in":["$report","rep_public"]})", false, "a literal is no scope"},
      {R"({"in":["$report","$tenant"]})", false, "one binding is not in scope"},
      {R"({"in":[]})", false, "nothing"},
      {R"({"equals":"$tenant"})", false, "not in scope"},
      {R"({"equals":"$$report"})", false, "a literal dollar"},
      {R"({"equals":"report"})", false, "a literal"},
      {R"({"const":"$report"})", false, "const refers to nothing"},
      {R"({"type":"array","minItems":1,"items":{"in":"$people"}})", true, "each of some items"},
      {R"({"type":"array","items":{"in":"$people"}})", false, "an empty array passes"},
      {R"({"minItems":1,"items":{"in":"$people"}})", false, "what is no array passes"},
      {R"({"type":["array","string"],"minItems":1,"items":{"in":"$people"}})", false,
       "a string passes"},
      {R"({"type":"object","required":["id"],"properties":{"id":{"equals":"$report"}}})", true,
       "a required member"},
      {R"({"type":"object","properties":{"id":{"equals":"$report"}}})", false,
       "the member may be absent"},
      {"true", false, "anything passes"},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.reason);
    const json::Document schema = json::MustParse(row.schema);
    EXPECT_EQ(IsBoundToScope(schema.root(), kBindings), row.bound) << row.schema;
  }
}

TEST(IsBindingName, IsAnIdentifier) {
  EXPECT_TRUE(IsBindingName("report_id"));
  EXPECT_FALSE(IsBindingName(""));
  EXPECT_FALSE(IsBindingName("9a"));
  EXPECT_FALSE(IsBindingName("a-b"));
  EXPECT_FALSE(IsBindingName(std::string(65, 'a')));
}

}  // namespace
}  // namespace tipstaff::schema
