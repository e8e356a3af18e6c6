#include "mediator/schema/defaults.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
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
    {"a default that is an object is taken as it is", "{}",
     R"({"properties":{"o":{"default":{},"properties":{"public":{"default":true}}}}})",
     R"({"o":{}})"},
    {"by reference", "{}",
     R"({"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"default":1}}})", R"({"a":1})"},
    {"beside a reference before what it refers to", "{}",
     R"({"properties":{"a":{"$ref":"#/$defs/a","default":2}},"$defs":{"a":{"default":1}}})",
     R"({"a":2})"},
    {"a reference to itself ends", "{}",
     R"({"properties":{"a":{"$ref":"#/properties/a"}},"x":{"default":1}})", ""},
    {"a schema elsewhere is not looked up", "{}",
     R"({"properties":{"a":{"$ref":"https://example.com/a"}},"x":{"default":1}})", ""},
};

TEST(Defaults, AreTakenInPlaceOfWhatIsNotGiven) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    const auto arguments = json::Parse(row.arguments), schema = json::Parse(row.schema);
    ASSERT_TRUE(arguments.ok() && schema.ok());
    EXPECT_TRUE(MayHaveDefaults(schema->root()));
    const auto filled = WithDefaults(arguments->root(), schema->root());
    ASSERT_TRUE(filled.ok()) << filled.status();
    EXPECT_EQ(filled->has_value() ? json::Dump((*filled)->root()) : "", row.filled);
  }
}

TEST(Defaults, OfASchemaWithoutTheWordAreNone) {
  const auto schema = json::Parse(R"({"properties":{"a":{"type":"string"}}})");
  ASSERT_TRUE(schema.ok());
  EXPECT_FALSE(MayHaveDefaults(schema->root()));
}

}  // namespace
}  // namespace tipstaff::schema
