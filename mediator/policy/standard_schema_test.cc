#include "mediator/policy/standard_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/policy/narrow.h"

namespace tipstaff::policy::internal {
namespace {

const std::vector<schema::Binding> kNames = {{"own", true, false}, {"list", true, true}};

class StandardTest : public testing::Test {
 protected:
  std::string Standard(absl::string_view schema) const {
    return json::Canonical(ToStandard(json::MustParse(schema).root(), bound_).schema.root());
  }
  std::string Narrowed(absl::string_view tool, absl::string_view permission) const {
    const json::Document theirs = json::MustParse(tool), ours = json::MustParse(permission);
    return json::Canonical(Narrow(theirs.root(), ours.root(), bound_, {.id = "urn:x"}).root());
  }
  const json::Document values_ = json::MustParse(R"(["rep_a",["a@b.example"]])");
  const std::vector<json::Value> given_ = {values_.root().At(0), values_.root().At(1)};
  const BoundValues bound_{kNames, given_};
};

std::string Canonical(absl::string_view text) {
  return json::Canonical(json::MustParse(text).root());
}

struct Row {
  const char* schema;
  const char* standard;
  const char* reason;
};

TEST_F(StandardTest, SaysAllThatTheStandardCanSay) {
  const Row kRows[] = {
      {"true", "true", "as it is"},
      {R"({"equals":"$own"})", R"({"const":"rep_a"})", "a binding"},
      {R"({"equals":"$$5"})", R"({"const":"$5"})", "a dollar"},
      {R"({"in":["$own",7]})", R"({"enum":["rep_a",7]})", "a list with a binding"},
      {R"({"in":["$own","a","rep_a","a",1,1.0]})", R"({"enum":["rep_a","a",1]})",
       "each value once, in their order"},
      {R"({"in":"$list","enum":[{"a":1,"b":2},{"b":2,"a":1.0}]})", R"({"enum":[{"a":1,"b":2}]})",
       "of a plain list too"},
      {R"({"email":"$list"})",
       R"({"format":"idn-email","pattern":"^(?:a)@","examples":["a@b.example"]})",
       "what stands before the domain, which is spelt in many ways"},
      {R"({"email":["a.b+c@x.example","{d^e*}@x.example","a.b+c@y.example","$own"]})",
       R"x({"format":"idn-email","pattern":"^(?:a\\.b\\+c|\\{d\\^e\\*\\})@",
           "examples":["a.b+c@x.example","{d^e*}@x.example","a.b+c@y.example"]})x",
       "what is no address equals none"},
      {R"({"pattern":"x$","email":["a@b.example"]})",
       R"({"format":"idn-email","pattern":"x$","examples":["a@b.example"]})",
       "a pattern of the skill's own"},
      {R"({"email":["a@b.example"],"pattern":"x$"})",
       R"({"format":"idn-email","pattern":"x$","examples":["a@b.example"]})", "whichever is first"},
      {R"({"not":{"email":["a@b.example"]}})", "{}", "not exact"},
      {R"({"type":"string","emailDomain":["b.example"]})",
       R"({"type":"string","format":"idn-email"})", "what the standard has of it"},
      {R"({"type":"string","url":{"hosts":["a.example"]}})", R"({"type":"string","format":"iri"})",
       "of a URL too"},
      {R"({"type":"string","url":{"hosts":["$own"],"paths":"$list"}})",
       R"({"type":"string","format":"iri"})", "whatever its lists are bound to"},
      {R"({"maxBytes":10,"minBytes":5})", R"({"maxLength":10,"minLength":2})",
       "a character has one to four bytes"},
      {R"({"maxLength":3,"maxBytes":10})", R"({"maxLength":3})",
       "the stricter, whichever is first"},
      {R"({"maxBytes":10,"maxLength":30})", R"({"maxLength":10})", "the other way round"},
      {R"({"path":{},"plain":true,"text":"any","title":"T","description":"D","optional":true})",
       "{}", "what has no equivalent, and words for readers of the skill"},
      {R"({"properties":{"title":{"equals":"$own"},"path":{"const":1}}})",
       R"({"properties":{"title":{"const":"rep_a"},"path":{"const":1}}})",
       "names of members are no keywords"},
      {R"({"enum":[{"equals":"$own"}]})", R"({"enum":[{"equals":"$own"}]})", "nor are literals"},
      {R"({"anyOf":[{"equals":"$own"},{"items":{"in":"$list"}}]})",
       R"({"anyOf":[{"const":"rep_a"},{"items":{"enum":["a@b.example"]}}]})", "further in"},
      {R"({"not":{"equals":"$own"}})", R"({"not":{"const":"rep_a"}})", "exact: it can be denied"},
      {R"({"not":{"plain":true}})", "{}", "else `not` would refuse everything"},
      {R"({"not":{"equals":"$own","const":5}})", "{}", "two that one word cannot say"},
      {R"({"not":{"maxBytes":5}})", "{}", "and this one texts of five long characters"},
      {R"({"not":{"not":{"path":{}}}})", "{}", "however deep"},
      {R"({"if":{"plain":true},"then":{"const":1},"unevaluatedProperties":false})", "{}",
       "a condition that cannot be told, and what hangs on it"},
      {R"({"if":{"type":"string"},"then":{"path":{}}})", R"({"if":{"type":"string"},"then":{}})",
       "what follows may be wider"},
      {R"({"oneOf":[{"maxBytes":5},{"type":"null"}]})",
       R"({"anyOf":[{"maxLength":5},{"type":"null"}]})", "several may match now"},
      {R"({"oneOf":[{"type":"string"},{"type":"null"}]})",
       R"({"oneOf":[{"type":"string"},{"type":"null"}]})", "exact ones stay"},
      {R"({"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"$ref":"#/$defs/z"},
           "y":{"equals":"$own"},"z":true}})",
       R"({"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"$ref":"#/$defs/z"},"z":true}})",
       "definitions that nothing refers to"},
      {R"({"not":{"$ref":"#/$defs/x"},"$defs":{"x":{"equals":"$own"}}})", "{}",
       "nor those of what was left out"},
      {R"({"contains":{"plain":true},"minContains":1,"maxContains":2})",
       R"({"contains":{},"minContains":1})", "more may match now"},
      {R"({"properties":{"a":{"$ref":"#/$defs/x/items"}},"$defs":{"x":{"items":true},"y":true}})",
       R"({"properties":{"a":{"$ref":"#/$defs/x/items"}},"$defs":{"x":{"items":true},"y":true}})",
       "where it may lead anywhere, all stays"},
      {R"({"const":{"$ref":"#/$defs/x"},"$defs":{"x":true}})", R"({"const":{"$ref":"#/$defs/x"}})",
       "a literal is no reference"},
      {R"({"items":{"$defs":{"n":{"$ref":"#/$defs/x"}}},"$defs":{"x":true}})",
       R"({"items":{"$defs":{"n":{"$ref":"#/$defs/x"}}},"$defs":{"x":true}})",
       "definitions further in count"},
      {R"({"not":{"text":"line"}})", "{}", "text is asked for"},
      {R"({"not":{"text":"any","const":"a"}})", R"({"not":{"const":"a"}})", "and this is not"},
      {R"({"not":{"items":{"type":"string"}}})", "{}", "each item is a line of text"},
      {R"({"not":{"items":{"type":"integer"}}})", R"({"not":{"items":{"type":"integer"}}})",
       "no text in it"},
      {R"({"not":{"items":{"type":"string","text":"any"}}})",
       R"({"not":{"items":{"type":"string"}}})", "any text"},
      {R"({"if":{"properties":{"a":true}},"then":false})", "{}", "a member that holds text"},
      {R"({"if":{"properties":{"a":{"const":"x"}}},"then":false})",
       R"({"if":{"properties":{"a":{"const":"x"}}},"then":false})", "a listed one"},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(Standard(row.schema), Canonical(row.standard)) << row.reason;
  }
}

struct NarrowRow {
  const char* tool;
  const char* permission;
  const char* narrowed;
  const char* reason;
};

TEST_F(StandardTest, NarrowsTheToolsSchema) {
  const NarrowRow kRows[] = {
      {R"({"type":"string","description":"d","maxLength":5})", R"({"maxBytes":9})",
       R"({"type":"string","description":"d","maxLength":5})", "the stricter limit"},
      {R"({"type":"string","pattern":"^a"})", R"({"pattern":"b$"})",
       R"({"type":"string","pattern":"^a","allOf":[{"pattern":"b$"}]})", "both patterns"},
      {R"({"anyOf":[{"type":"string"},{"type":"null"}]})",
       R"({"anyOf":[{"const":"x"},{"const":"y"}]})",
       R"({"anyOf":[{"type":"string"},{"type":"null"}],
           "allOf":[{"anyOf":[{"const":"x"},{"const":"y"}]}]})",
       "both lists of branches"},
      {R"({"if":{"type":"string"},"then":{"minLength":1}})",
       R"({"if":{"const":1},"then":{"const":1},"else":true})",
       R"({"if":{"type":"string"},"then":{"minLength":1},
           "allOf":[{"if":{"const":1},"then":{"const":1},"else":true}]})",
       "conditions stay together"},
      {R"({"type":"string"})", R"({"$ref":"#/$defs/a","$defs":{"a":{"equals":"$own"}}})",
       R"({"type":"string","allOf":[{"$id":"urn:x","$ref":"#/$defs/a","$defs":{"a":{"const":"rep_a"}}}]})",
       "what refers to its own parts is a resource of its own"},
      {R"({"type":"object","properties":{"a":{"type":"string","title":"A"},"b":true}})",
       R"({"properties":{"a":{"equals":"$own"}},"unevaluatedProperties":false})",
       R"({"type":"object","properties":{"a":{"type":"string","title":"A","const":"rep_a"}},
           "unevaluatedProperties":false})",
       "what is not listed is gone"},
      {R"({"properties":{"a":true},"additionalProperties":false})",
       R"({"properties":{"a":{"type":"string"},"b":{"type":"string"}}})",
       R"({"properties":{"a":{"type":"string"}},"additionalProperties":false})",
       "what the tool does not take is not offered"},
      {R"({"properties":{"a":true},"additionalProperties":false})",
       R"({"properties":{"a":{"type":"string"}},"additionalProperties":true})",
       R"({"properties":{"a":{"type":"string"}},"additionalProperties":false})", "nor others"},
      {R"({"properties":{"a":true}})",
       R"({"patternProperties":{"^b":true},"additionalProperties":false})",
       R"({"properties":{"a":true},
           "allOf":[{"patternProperties":{"^b":true},"additionalProperties":false}]})",
       "what the tool lists is no member that the permission lists"},
      {R"({"patternProperties":{"^a":true},"additionalProperties":false})",
       R"({"properties":{"b":true}})",
       R"({"patternProperties":{"^a":true},"additionalProperties":false,
           "allOf":[{"properties":{"b":true}}]})",
       "nor the other way round"},
      {R"({"prefixItems":[true,true]})", R"({"items":{"const":1}})",
       R"({"prefixItems":[true,true],"allOf":[{"items":{"const":1}}]})", "these are all items"},
      {R"({"items":{"type":"string"}})", R"({"prefixItems":[{"const":"a"}],"items":false})",
       R"({"items":{"type":"string"},"allOf":[{"prefixItems":[{"const":"a"}],"items":false}]})",
       "and those the rest"},
      {R"({"items":{"type":"string"}})", R"({"items":{"minLength":1}})",
       R"({"items":{"type":"string","minLength":1}})", "the same items"},
      {R"({"allOf":[{"properties":{"a":true}}]})",
       R"({"properties":{"b":true},"unevaluatedProperties":false})",
       R"({"allOf":[{"properties":{"a":true}},
                    {"properties":{"b":true},"unevaluatedProperties":false}]})",
       "what the tool evaluates does not count for the permission"},
      {R"({"properties":{"a":true},"unevaluatedProperties":false})",
       R"({"allOf":[{"required":["b"]}]})",
       R"({"properties":{"a":true},"unevaluatedProperties":false})",
       "and what the permission does not for the tool"},
  };
  for (const NarrowRow& row : kRows) {
    EXPECT_EQ(Narrowed(row.tool, row.permission), Canonical(row.narrowed)) << row.reason;
  }
}

}  // namespace
}  // namespace tipstaff::policy::internal
