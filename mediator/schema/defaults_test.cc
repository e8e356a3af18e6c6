#include "mediator/schema/defaults.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::schema {
namespace {

struct Row {
  const char* name;
  const char* arguments;
  const char* schema;
  const char* filled;  // "" for nothing to add
};

const Row kRows[] = {
    {"a property that is not given", R"({"to":"a"})", R"({"properties":{"cc":{"default":"b"}}})",
     R"({"to":"a","cc":"b"})"},
    {"one that is given keeps its value", R"({"cc":"a"})",
     R"({"properties":{"cc":{"default":"b"}}})", ""},
    {"null is a value, given or taken", R"({"a":null})",
     R"({"properties":{"a":{"default":1},"b":{"default":null}}})", R"({"a":null,"b":null})"},
    {"within an object that is given", R"({"options":{}})",
     R"({"properties":{"options":{"properties":{"public":{"default":true}}}}})",
     R"({"options":{"public":true}})"},
    {"not within one that is not given", "{}",
     R"({"properties":{"options":{"properties":{"public":{"default":true}}}}})", ""},
    {"by reference", "{}",
     R"({"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"default":1}}})", R"({"a":1})"},
    {"beside a reference before what it refers to", "{}",
     R"({"properties":{"a":{"$ref":"#/$defs/a","default":2}},"$defs":{"a":{"default":1}}})",
     R"({"a":2})"},
    {"a reference to itself ends", "{}",
     R"({"properties":{"a":{"$ref":"#/properties/a"}},"x":{"default":1}})", ""},
    {"by a reference to an anchor", "{}",
     R"({"properties":{"a":{"$ref":"#one"}},"$defs":{"b":{"$anchor":"one","default":1}}})",
     R"({"a":1})"},
    {"by a reference to a schema with a name", "{}",
     R"({"properties":{"a":{"$ref":"one"}},"$defs":{"b":{"$id":"one","default":1}}})",
     R"({"a":1})"},
    {"beside a reference that is a property's", R"({"o":{}})",
     R"({"properties":{"o":{"$ref":"#/$defs/o","properties":{"b":{"default":2}}}},
         "$defs":{"o":{"properties":{"a":{"default":1}}}}})",
     R"({"o":{"b":2,"a":1}})"},
    {"in lists", R"({"to":[{},{},1]})",
     R"({"properties":{"to":{"prefixItems":[{"properties":{"a":{"default":1}}}],
         "items":{"properties":{"b":{"default":2}}}}}})",
     R"({"to":[{"a":1},{"b":2},1]})"},
    {"in lists of draft 7", R"({"to":[{},{}]})",
     R"({"properties":{"to":{"items":[{"properties":{"a":{"default":1}}}],
         "additionalItems":{"properties":{"b":{"default":2}}}}}})",
     R"({"to":[{"a":1},{"b":2}]})"},
    {"of all that holds of it", R"({"o":{}})",
     R"({"allOf":[{"properties":{"top":{"default":"high"}}}],
         "properties":{"o":{"allOf":[{"properties":{"a":{"default":1}}}]}},
         "dependentSchemas":{"o":{"properties":{"d":{"default":2}}}}})",
     R"({"o":{"a":1},"top":"high","d":2})"},
    {"of other members", R"({"o":{},"p":{}})",
     R"({"properties":{"o":{}},"additionalProperties":{"properties":{"a":{"default":1}}}})",
     R"({"o":{},"p":{"a":1}})"},
    {"within a default", "{}",
     R"({"properties":{"o":{"default":{"b":2},"properties":{"a":{"default":1}}}}})",
     R"({"o":{"b":2,"a":1}})"},
    {"a schema elsewhere is not looked up", "{}",
     R"({"properties":{"a":{"$ref":"https://example.com/a"}},"x":{"default":1}})", ""},
};

Defaults Of(const char* schema) { return Defaults(json::MustParse(schema)); }

std::string Filled(const Defaults& defaults, const char* arguments,
                   std::optional<size_t> alternative = std::nullopt) {
  const auto filled = defaults.Fill(json::MustParse(arguments).root(), alternative);
  EXPECT_TRUE(filled.ok()) << filled.status();
  return filled.ok() && filled->has_value() ? json::Dump((*filled)->root()) : "";
}

TEST(Defaults, AreTakenInPlaceOfWhatIsNotGiven) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(Filled(Of(row.schema), row.arguments), row.filled);
  }
}

TEST(Defaults, OfAlternativesAreTakenOneByOne) {
  const Defaults defaults = Of(R"({
    "properties": {"options": {"anyOf": [
      {"properties": {"public": {"default": true}}},
      {"type": "null"},
      {"properties": {"public": {"default": false}}}]}},
    "if": {"required": ["x"]}, "then": {"properties": {"a": {"default": 1}}},
    "else": {"properties": {"b": {"default": 2}}},
    "patternProperties": {"^o": {"properties": {"p": {"default": 3}}}}})");
  EXPECT_EQ(defaults.alternatives(), 3u);
  const char* given = R"({"options":{}})";
  EXPECT_EQ(Filled(defaults, given), "");
  EXPECT_EQ(Filled(defaults, given, 0), R"({"options":{"p":3,"public":true},"a":1})");
  EXPECT_EQ(Filled(defaults, given, 1), R"({"options":{"p":3},"b":2})");
  EXPECT_EQ(Filled(defaults, given, 2), R"({"options":{"p":3,"public":false},"b":2})");
}

TEST(Defaults, AlternativesWithoutAnyAreNotCounted) {
  EXPECT_EQ(
      Of(R"({"properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}}})")
          .alternatives(),
      0u);
  const Defaults patterns =
      Of(R"({"patternProperties":{"^o":{"properties":{"p":{"default":3}}}}})");
  EXPECT_EQ(patterns.alternatives(), 1u);
  EXPECT_EQ(Filled(patterns, R"({"o":{}})", 0), R"({"o":{"p":3}})");
}

TEST(Defaults, ThatHoldThemselvesEnd) {
  EXPECT_EQ(Filled(Of(R"({"properties":{"a":{"$ref":"#","default":{}}}})"), "{}"),
            R"({"a":{"a":{}}})");
  std::string schema = R"({"properties":{)";
  for (char c = 'a'; c < 'p'; ++c) {
    absl::StrAppend(&schema, c == 'a' ? "" : ",", "\"", std::string(1, c),
                    R"(":{"$ref":"#","default":{}})");
  }
  const auto filled = Of((schema + "}}").c_str()).Fill(json::MustParse("{}").root());
  EXPECT_EQ(filled.status().code(), absl::StatusCode::kResourceExhausted);
}

TEST(Defaults, OfASchemaWithoutTheWordAreNone) {
  EXPECT_TRUE(Of(R"({"properties":{"a":{"type":"string"}}})").none());
  EXPECT_TRUE(Of("true").none());
  EXPECT_FALSE(Of(R"({"properties":{"a":{"items":{"default":1}}}})").none());
}

}  // namespace
}  // namespace tipstaff::schema
