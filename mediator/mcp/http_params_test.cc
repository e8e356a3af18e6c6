#include "mediator/mcp/http_params.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
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

TEST(ParamHeaders, SayWhatTheArgumentsSay) {
  const json::Document schema = json::MustParse(kSchema);
  const struct {
    const char* reason;
    const char* arguments;
    Headers headers;
  } kCases[] = {
      {"nothing given", "{}", {}},
      {"each kind",
       R"({"region":"eu","count":9007199254740993,"dry":false,"plain":"x"})",
       {{"Mcp-Param-Region", "eu"},
        {"Mcp-Param-Count", "9007199254740993"},
        {"Mcp-Param-Dry", "false"}}},
      {"an empty text is one", R"({"region":""})", {{"Mcp-Param-Region", ""}}},
      {"null is no value", R"({"region":null})", {}},
      {"what may not be annotated",
       R"({"ratio":1.5,"bad":"x","empty":"x","list":[{"x":"y"}]})",
       {}},
      {"of a part", R"({"in":{"deep":"d"}})", {{"Mcp-Param-Deep", "d"}}},
      {"no arguments at all", "[", {}},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(ParamHeaders(schema.root(), c.arguments), c.headers) << c.reason;
  }
}

TEST(ParamProblem, NamesWhatTheRevisionForbids) {
  const struct {
    const char* reason;
    const char* properties;
    const char* problem;  // "": none
  } kCases[] = {
      {"no annotation", R"("a":{"type":"string"})", ""},
      {"good ones",
       R"("a":{"type":"string","x-mcp-header":"A"},"b":{"type":"boolean","x-mcp-header":"B"})", ""},
      {"empty", R"("a":{"type":"string","x-mcp-header":""})", "is no name"},
      {"no text", R"("a":{"type":"string","x-mcp-header":7})", "is no name"},
      {"a colon", R"("a":{"type":"string","x-mcp-header":"A:b"})", "is no name"},
      {"a number", R"("a":{"type":"number","x-mcp-header":"A"})", "is at what is not"},
      {"an object", R"("a":{"type":"object","x-mcp-header":"A"})", "is at what is not"},
      {"twice, in another case",
       R"("a":{"type":"string","x-mcp-header":"My"},"b":{"type":"string","x-mcp-header":"mY"})",
       "is there twice"},
      {"in a part",
       R"("p":{"type":"object","properties":{"a":{"type":"null","x-mcp-header":"A"}}})",
       "is at what is not"},
  };
  for (const auto& c : kCases) {
    const json::Document schema =
        json::MustParse(absl::StrCat(R"({"type":"object","properties":{)", c.properties, "}}"));
    const std::string problem = ParamProblem(schema.root());
    EXPECT_EQ(problem.empty(), *c.problem == '\0') << c.reason << ": " << problem;
    EXPECT_THAT(problem, HasSubstr(c.problem)) << c.reason;
  }
}

}  // namespace
}  // namespace tipstaff::mcp
