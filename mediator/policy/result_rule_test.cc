// What of a result goes back, from the skill to the bytes.
#include "mediator/policy/result_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/policy/testing/skill_text.h"
#include "mediator/schema/program.h"

namespace tipstaff::policy {
namespace {

using call::OutcomeKind;

constexpr char kSkill[] = R"(skill: a
backends: {mail: {stub: mailbox}, reports: {stub: reports}}
permissions:
  - id: search
    tool: mail.search_messages
    args: {query: {type: string}}
    result: {fields: [total, /messages/*/subject], max_bytes: 300}
  - id: read
    tool: reports.get_report
    args: {report_id: {type: string}}
    result: {max_bytes: 40}
  - id: list
    tool: mail.list_messages
    args: {}
finalize: none
)";

class ResultRuleTest : public testing::Test {
 protected:
  ResultRuleTest() {
    catalog_.Add({BackendRef::Kind::kStub, "mailbox"}, "search_messages", call::Effect::kRead,
                 R"({"type":"object","properties":{"query":{"type":"string"}}})",
                 R"({"type":"object","required":["total","messages","next"],"properties":{
                       "total":{"type":"integer"},"next":{"type":"string"},
                       "messages":{"type":"array","items":{"type":"object","required":["subject"],
                         "properties":{"subject":{"$ref":"#/$defs/line"},"body":{"type":"string"}}}}},
                     "$defs":{"line":{"type":"string"}}})");
  }
  std::string Limited(const char* permission, OutcomeKind kind, const std::string& result) {
    const auto grant = Granted();
    return grant->LimitResult(grant->PermissionIndex("a", permission), kind, result);
  }
  std::shared_ptr<const Grant> Granted() {
    return MustGrant({MustLoad(kSkill, catalog_)}, "{}", catalog_);
  }
  FakeCatalog catalog_;
};

std::string Kept(absl::string_view structured) {
  return absl::StrCat(R"({"content":[{"type":"text","text":)", json::Quote(structured),
                      R"(}],"structuredContent":)", structured, "}");
}

TEST_F(ResultRuleTest, LetsPartsBack) {
  const struct {
    std::string result;
    std::string limited;  // "": an error that says why
    const char* why;
  } kRows[] = {
      {R"({"content":[{"type":"text","text":"all of it"}],"structuredContent":
           {"total":1,"next":"x","messages":[{"subject":"s","body":"secret"}]},"_meta":{"a":1}})",
       Kept(R"({"total":1,"messages":[{"subject":"s"}]})"), "the text is not the old one"},
      {R"({"content":[{"type":"text","text":"{\"total\":2,\"body\":\"secret\"}"}]})",
       Kept(R"({"total":2})"), "one that is only text"},
      {R"({"content":[],"structuredContent":{"body":"secret"}})", Kept("{}"), "nothing of it"},
      {R"({"content":[],"structuredContent":{"total":3,"messages":
           [{"body":"secret"},{"subject":"s"},{},"secret"]}})",
       Kept(R"({"total":3,"messages":[{"subject":"s"}]})"), "nor how many others there are"},
      {R"({"content":[],"structuredContent":{"total":3,"messages":{"secret":{"body":1}}}})",
       Kept(R"({"total":3})"), "nor what they are called"},
      {R"({"content":[{"type":"text","text":"secret words"}]})", "", "text that is no object"},
      {R"({"content":[{"type":"text","text":"{}"},{"type":"text","text":"secret"}]})", "",
       "more than one text"},
      {R"({"content":[{"type":"image","data":"c2VjcmV0"}]})", "", "an image"},
      {R"({"content":[],"structuredContent":["secret"]})", "", "a list"},
      {R"({"content":[{"type":"text","text":"{\"total\":2}"}],"structuredContent":"secret"})", "",
       "what is structured counts, not the text"},
      {"secret", "", "no JSON"},
      {Kept(absl::StrCat(R"({"messages":[{"subject":")", std::string(300, 'x'), R"("}]})")), "",
       "too large still"},
  };
  for (const auto& row : kRows) {
    const std::string limited = Limited("search", OutcomeKind::kOk, row.result);
    if (!row.limited.empty()) {
      EXPECT_EQ(limited, row.limited) << row.why;
    } else {
      EXPECT_THAT(limited, testing::HasSubstr("the call was made, but its result is")) << row.why;
      EXPECT_THAT(limited, testing::HasSubstr(R"("isError":true)")) << row.why;
    }
    EXPECT_THAT(limited, testing::Not(testing::HasSubstr("secret"))) << row.why;
  }
}

TEST_F(ResultRuleTest, LetsSoManyBytesBack) {
  const std::string small = R"({"content":[]})";
  const std::string large = Kept(std::string(R"({"a":"0123456789012345678901234567890"})"));
  EXPECT_EQ(Limited("read", OutcomeKind::kOk, small), small);
  EXPECT_THAT(Limited("read", OutcomeKind::kOk, large), testing::HasSubstr("larger"));
  EXPECT_THAT(Limited("read", OutcomeKind::kToolError, large), testing::HasSubstr("larger"));
  EXPECT_EQ(Limited("list", OutcomeKind::kOk, large), large);
}

TEST_F(ResultRuleTest, AnErrorHasNoFields) {
  const std::string error = call::ErrorResult("no such message");
  EXPECT_EQ(Limited("search", OutcomeKind::kToolError, error), error);
}

TEST_F(ResultRuleTest, NobodysResultStaysHere) {
  const std::string result = R"({"content":[{"type":"text","text":"secret"}]})";
  for (const int nobody : {-1, 1000}) {
    EXPECT_THAT(Granted()->LimitResult(nobody, OutcomeKind::kOk, result),
                testing::Not(testing::HasSubstr("secret")));
  }
}

TEST_F(ResultRuleTest, WhatIsPublishedIsWhatComes) {
  const auto grant = Granted();
  size_t seen = 0;
  for (const PublishedTool& tool : grant->tools()) {
    if (tool.tool != "mail.search_messages") continue;
    ++seen;
    EXPECT_EQ(
        json::Canonical(json::MustParse(tool.output_schema).root()),
        json::Canonical(json::MustParse(R"({"type":"object","required":["total"],"properties":{
                "total":{"type":"integer"},"messages":{"type":"array","items":{"type":"object",
                  "properties":{"subject":{"$ref":"#/$defs/line"}},"required":["subject"]}}},
                "$defs":{"line":{"type":"string"}}})")
                            .root()));
  }
  EXPECT_EQ(seen, 1u);
}

// What comes of a result that has the tool's schema has the one that is published.
TEST_F(ResultRuleTest, WhatIsPublishedLeadsToPartsAlone) {
  const struct {
    const char* schema;
    std::vector<const char*> fields;
    const char* published;
    std::vector<const char*> results;
    const char* why;
  } kRows[] = {
      {R"({"type":"object","required":["list"],"properties":{"list":{"type":"array",
           "prefixItems":[{"type":"string"},{"type":"object","properties":{"a":{"type":"integer"}}}],
           "items":{"type":"object","properties":{"a":{"type":"boolean"}}}}}})",
       {"/list/*/a"},
       R"({"type":"object","required":[],"properties":{"list":{"type":"array"}}})",
       {R"({"list":["x",{"a":1},{"a":true}]})", R"({"list":["x"]})"},
       "items that move up are not what the place says"},
      {R"({"type":"object","required":["list"],"properties":{"list":{"type":"array","minItems":2,
           "items":{"type":"object","required":["a"],"minProperties":2,
                    "properties":{"a":{"type":"integer"},"b":true}}}}})",
       {"/list/*/a"},
       R"({"type":"object","required":[],"properties":{"list":{"type":"array","items":{
           "type":"object","required":["a"],"properties":{"a":{"type":"integer"}}}}}})",
       {R"({"list":[{"a":1,"b":2},{"a":2,"b":1}]})"},
       "what counts what is there says nothing any more"},
      {R"({"type":"object","required":["of","total"],"properties":{"total":{"type":"integer"},
           "of":{"type":["object","null"],"required":["x"],"properties":{"x":{"type":"string"}}}}})",
       {"/total", "/of/x"},
       R"({"type":"object","required":["total"],"properties":{"total":{"type":"integer"},
           "of":{"type":["object","null"],"required":["x"],"properties":{"x":{"type":"string"}}}}})",
       {R"({"total":1,"of":null})", R"({"total":1,"of":{"x":"y"}})"},
       "what leads to a part may hold none"},
      {R"({"type":"object","properties":{"total":{"type":"integer"},"list":{"type":"array",
           "items":{"$ref":"#/$defs/m"}}},"$defs":{"m":{"type":"object","properties":{
           "a":{"type":"string"},"left_out":{"type":"string"}}}}})",
       {"/total", "/list/*/a"},
       R"({"type":"object","required":[],"properties":{"total":{"type":"integer"},
           "list":{"type":"array","items":{}}}})",
       {R"({"total":1,"list":[{"a":"x","left_out":"y"}]})"},
       "a definition on the way is idle, and says what was left out"},
      {R"({"type":"object","properties":{"a":{"$ref":"#/$defs/b~1"},"enum":{"$ref":"#/$defs/e"},
           "c":{"const":{"$ref":"#/$defs/d"}}},"$defs":{"b/":{"items":{"$ref":"#/$defs/c"}},
           "c":{"type":"integer"},"d":{"title":"d"},"e":{"type":"string"},"f":{"$ref":"#/$defs/f"}}})",
       {"/a", "/c", "/enum"},
       R"({"type":"object","required":[],"properties":{"a":{"$ref":"#/$defs/b~1"},
           "enum":{"$ref":"#/$defs/e"},"c":{"const":{"$ref":"#/$defs/d"}}},
           "$defs":{"b/":{"items":{"$ref":"#/$defs/c"}},"c":{"type":"integer"},
           "e":{"type":"string"}}})",
       {R"({"a":[1],"enum":"x"})"},
       "those that a part needs stay, with those that they need"},
  };
  for (const auto& row : kRows) {
    Parts parts;
    for (const char* field : row.fields) ASSERT_TRUE(parts.Add(field));
    const json::Document tools = json::MustParse(row.schema);
    const json::Document published = OutputOf(tools.root(), parts);
    EXPECT_EQ(json::Canonical(published.root()),
              json::Canonical(json::MustParse(row.published).root()))
        << row.why;
    const auto before = schema::Program::Compile(tools.root(), schema::Dialect::kTool);
    const auto after = schema::Program::Compile(published.root(), schema::Dialect::kTool);
    ASSERT_TRUE(before.ok() && after.ok()) << row.why;
    for (const char* result : row.results) {
      const json::Document value = json::MustParse(result);
      EXPECT_TRUE(before->Accepts(value.root())) << row.why;
      EXPECT_TRUE(after->Accepts(parts.Only(value.root()).root())) << row.why << ": " << result;
    }
  }
}

TEST_F(ResultRuleTest, SchemasThatReferElsewhereAreNotPublished) {
  Parts parts;
  ASSERT_TRUE(parts.Add("/a"));
  for (const char* schema :
       {R"({"properties":{"a":{"$ref":"#/properties/b"},"b":true}})", R"({"$ref":"#/$defs/x"})",
        R"({"$id":"urn:x","properties":{"a":true}})",
        R"({"properties":{"a":{"$ref":"#/$defs/m/properties/b"}},
            "$defs":{"m":{"properties":{"b":{},"left_out":{}}}}})",
        R"({"properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"m":true}})"}) {
    EXPECT_EQ(json::Dump(OutputOf(json::MustParse(schema).root(), parts).root()),
              R"({"type":"object"})")
        << schema;
  }
}

}  // namespace
}  // namespace tipstaff::policy
