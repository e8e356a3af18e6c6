#include "mediator/schema/references.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
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

// False too for what does not compile.
bool IsBound(absl::string_view schema) {
  std::vector<Problem> problems;
  const std::optional<Program> program =
      Program::Compile(json::MustParse(schema).root(),
                       {.dialect = Dialect::kSkill, .bindings = kBindings}, problems);
  return program.has_value() && program->BindsToScope();
}

TEST(BindsToScope, AsksForWhatNoValueEscapes) {
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
      {R"({"allOf":[{"type":"string"},{"equals":"$report"}]})", true, "all of them hold"},
      {R"({"$ref":"#/$defs/own","$defs":{"own":{"in":["$report"]}}})", true, "what is referred to"},
      {R"({"$ref":"#"})", false, "a circle binds nothing"},
      {R"({"$ref":"#own","$defs":{"own":{"$anchor":"own","equals":"$report"}}})", true,
       "what an anchor leads to is checked like the rest"},
      {R"({"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/$defs/any",
           "equals":"$report","$defs":{"any":{"type":"string"}}})",
       false, "draft 7 would not look beside the reference"},
      {R"({"allOf":[{"$id":"http://a/b","$schema":"http://json-schema.org/draft-07/schema#",
           "$ref":"#/$defs/any","equals":"$report","$defs":{"any":{"type":"string"}}}]})",
       false, "nor further in"},
      {R"({"allOf":[{"$id":"#q","$ref":"#/$defs/x","$defs":{"x":{"equals":"$report"}}}],
           "$defs":{"x":{"type":"string"}}})",
       false, "an $id that is no URI begins nothing"},
      {R"({"$ref":"#/examples/0","examples":[{"$id":"http://z/","$ref":"#/$defs/x",
           "$defs":{"x":{"equals":"$report"}}}],"$defs":{"x":{"type":"string"}}})",
       false, "nor one where no schema stands"},
      {R"({"$ref":"#/$defs/a","$defs":{"a":{"$id":"urn:x","$ref":"#/$defs/b",
           "$defs":{"b":{"equals":"$report"}}},"b":{"type":"string"}}})",
       true, "within an $id, # is that schema"},
      {R"({"$ref":"#/$defs/a","$defs":{"a":{"$id":"urn:x","$ref":"#/$defs/b",
           "$defs":{"b":{"type":"string"}}},"b":{"equals":"$report"}}})",
       false, "and not the one around"},
      {R"({"anyOf":[{"equals":"$report"},{"in":"$people"}]})", false, "on a condition"},
      {R"({"oneOf":[{"equals":"$report"}]})", false, "on a condition"},
      {R"({"not":{"equals":"$report"}})", false, "the contrary"},
      {R"({"if":{"type":"string"},"then":{"equals":"$report"}})", false, "on a condition"},
      {R"({"if":true,"then":{"equals":"$report"},"else":{"equals":"$report"}})", false,
       "on a condition"},
      {R"({"type":"object","required":["a"],"dependentSchemas":{"a":{"equals":"$report"}}})", false,
       "on a condition"},
      {R"({"type":"array","minItems":1,"contains":{"in":"$people"}})", false,
       "the other items may be anything"},
      {R"({"type":"array","minItems":1,"prefixItems":[{"type":"string"}],"items":{"in":"$people"}})",
       false, "items begins after the first"},
      {R"({"type":"array","minItems":1,"prefixItems":[{"in":"$people"}],"items":{"in":"$people"}})",
       true, "every item"},
      {R"({"type":"array","minItems":1,"prefixItems":[{"in":"$people"}],"items":false})", true,
       "there are no others"},
      {R"({"type":"array","minItems":1,"prefixItems":[{"in":"$people"}]})", false,
       "what follows may be anything"},
      {R"({"type":"object","allOf":[{"required":["id"]}],"properties":{"id":{"equals":"$report"}}})",
       true, "required elsewhere"},
      {R"({"type":"object","patternProperties":{"^id$":{"equals":"$report"}},"required":["id"]})",
       false, "only what properties lists counts"},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.reason);
    EXPECT_EQ(IsBound(row.schema), row.bound) << row.schema;
  }
}

// Doubles with each level.
TEST(BindsToScope, EndsWhenReferencesMultiply) {
  std::string text = R"({"$ref":"#/$defs/d0","$defs":{"d24":{"type":"string"})";
  for (int i = 0; i < 24; ++i) {
    const std::string next = absl::StrCat(R"({"$ref":"#/$defs/d)", i + 1, "\"}");
    absl::StrAppend(&text, ",\"d", i, "\":{\"allOf\":[", next, ",", next, "]}");
  }
  EXPECT_FALSE(IsBound(text + "}}"));
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
