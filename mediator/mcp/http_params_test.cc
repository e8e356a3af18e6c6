#include "mediator/mcp/http_params.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/json/parse.h"

namespace tipstaff::mcp {
namespace {

using ::testing::HasSubstr;
using Headers = std::vector<std::pair<std::string, std::string>>;

constexpr char kSchema[] = R"({"type":"object","properties":{
  "region":{"type":"string","x-mcp-header":"Region"},
  "count":{"type":"integer","x-mcp-header":"Count"},
  "dry":{"type":"boolean","x-mcp-header":"Dry"},
  "ratio":{"type":"number","x-mcp-header":"Ratio"},
  "bad":{"type":"string","x-mcp-header":"no good"},
  "empty":{"type":"string","x-mcp-header":""},
  "plain":{"type":"string"},
  "in":{"type":"object","properties":{"deep":{"type":"string","x-mcp-header":"Deep"}}},
  "list":{"type":"array","items":{"type":"object","properties":{
    "x":{"type":"string","x-mcp-header":"Item"}}}}}})";

TEST(ParamMismatch, HoldsHeadersAgainstArguments) {
  struct Case {
    const char* reason;
    const char* arguments;
    Headers headers;
    const char* wrong;  // "": nothing
  };
  const Case kCases[] = {
      {"nothing given", "{}", {}, ""},
      {"the same", R"({"region":"us-west1"})", {{"mcp-param-region", "us-west1"}}, ""},
      {"another", R"({"region":"us-west1"})", {{"mcp-param-region", "eu"}}, "does not say"},
      {"case counts", R"({"region":"A"})", {{"mcp-param-region", "a"}}, "does not say"},
      {"missing", R"({"region":"us-west1"})", {}, "`Mcp-Param-Region` is missing"},
      {"a header alone", "{}", {{"mcp-param-region", "eu"}}, "its argument is not"},
      {"null is no value", R"({"region":null})", {}, ""},
      {"twice",
       R"({"region":"a"})",
       {{"mcp-param-region", "a"}, {"mcp-param-region", "a"}},
       "twice"},
      {"encoded",
       R"({"region":"Hello, 世界"})",
       {{"mcp-param-region", "=?base64?SGVsbG8sIOS4lueVjA==?="}},
       ""},
      {"badly encoded",
       R"({"region":"a"})",
       {{"mcp-param-region", "=?base64?!?="}},
       "does not say"},
      {"an integer", R"({"count":42})", {{"mcp-param-count", "42"}}, ""},
      {"as a number", R"({"count":42})", {{"mcp-param-count", "42.0"}}, ""},
      {"another integer",
       R"({"count":9007199254740993})",
       {{"mcp-param-count", "9007199254740992"}},
       "does not say"},
      {"a string that looks like one", R"({"region":"42"})", {{"mcp-param-region", "42"}}, ""},
      {"a boolean", R"({"dry":true})", {{"mcp-param-dry", "true"}}, ""},
      {"another boolean", R"({"dry":true})", {{"mcp-param-dry", "True"}}, "does not say"},
      {"numbers are not annotated", R"({"ratio":0.5})", {}, ""},
      {"no name of a header", R"({"bad":"a","empty":"b"})", {}, ""},
      {"not annotated", R"({"plain":"a"})", {{"mcp-param-plain", "b"}}, ""},
      {"below", R"({"in":{"deep":"a"}})", {{"mcp-param-deep", "a"}}, ""},
      {"missing below", R"({"in":{"deep":"a"}})", {}, "`Mcp-Param-Deep` is missing"},
      {"not by way of a list", R"({"list":[{"x":"a"}]})", {}, ""},
  };
  for (const Case& c : kCases) {
    const json::Document arguments = json::MustParse(c.arguments);
    const std::optional<std::string> wrong =
        ParamMismatch(kSchema, arguments.root(), {"POST", "/mcp", c.headers});
    if (*c.wrong == '\0') {
      EXPECT_EQ(wrong, std::nullopt) << c.reason;
    } else {
      EXPECT_THAT(wrong.value_or(""), HasSubstr(c.wrong)) << c.reason;
    }
  }
}

TEST(ParamMismatch, AsksNothingOfASchemaThatIsNone) {
  for (const char* schema : {"", "{", "[]", "7", R"({"properties":7})", R"({"properties":[1]})"}) {
    EXPECT_EQ(ParamMismatch(schema, json::MustParse("{}").root(), {}), std::nullopt) << schema;
  }
}

}  // namespace
}  // namespace tipstaff::mcp
