#include "mediator/cli/call_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/json/write.h"

namespace tipstaff::cli {
namespace {

using ::testing::HasSubstr;

TEST(ParseCallArguments, ReadsJsonAndWords) {
  const struct {
    const char* reason;
    const char* text;
    const char* json;
  } kCases[] = {
      {"nothing", "", "{}"},
      {"blanks", " \t ", "{}"},
      {"JSON", R"( {"a": [1, {"b": "x=y"}]} )", R"({"a":[1,{"b":"x=y"}]})"},
      {"a text", "a=b", R"({"a":"b"})"},
      {"an empty text", "a=", R"({"a":""})"},
      {"numbers stay texts", "a=3 b=true", R"({"a":"3","b":"true"})"},
      {"JSON values", R"(n:=3 b:=true l:='["x", 1]' o:={} s:='"t"')",
       R"({"b":true,"l":["x",1],"n":3,"o":{},"s":"t"})"},
      {"single quotes", R"(a='b c' d='e"f\')", R"({"a":"b c","d":"e\"f\\"})"},
      {"double quotes", R"(a="b \"c\" \\ \n")", R"({"a":"b \"c\" \\ \\n"})"},
      {"quotes in the middle", "a=b' 'c", R"({"a":"b c"})"},
      {"a backslash", R"(a=b\ c)", R"({"a":"b c"})"},
      {"a second equals sign", "a=b=c", R"({"a":"b=c"})"},
      {"other scripts", "a=文字", R"({"a":"文字"})"},
  };
  for (const auto& c : kCases) {
    const absl::StatusOr<json::Document> parsed = ParseCallArguments(c.text);
    ASSERT_TRUE(parsed.ok()) << c.reason << ": " << parsed.status();
    EXPECT_EQ(json::Canonical(parsed->root()), c.json) << c.reason;
  }
}

TEST(ParseCallArguments, SaysWhatIsWrong) {
  const struct {
    const char* reason;
    std::string text;
    const char* message;
  } kCases[] = {
      {"no end of JSON", R"({"a":)", "the arguments: not JSON at byte 5"},
      {"something after it", R"({} x)", "byte 3"},
      {"a duplicate key", R"({"a":1,"a":2})", "the arguments: "},
      {"no name", "=x", "`=x` is no argument"},
      {"no equals sign", "abc", "`abc` is no argument: write name=text, name:=JSON, or one JSON"},
      {"a list", "[1]", "`[1]` is no argument"},
      {"twice", "a=1 a:=2", "`a` is given twice"},
      {"bad JSON", "a:=x", "the value of `a`: not JSON at byte 0"},
      {"a quote without an end", "a='b", "a quote ' has no end"},
      {"no UTF-8", "a=\xff", "not UTF-8"},
  };
  for (const auto& c : kCases) {
    const absl::Status status = ParseCallArguments(c.text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.reason;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message)) << c.reason;
  }
}

TEST(ParseObject, RefusesWhatIsNoObject) {
  EXPECT_THAT(std::string(ParseObject("[1]").status().message()),
              HasSubstr("the arguments are array, not an object"));
  EXPECT_THAT(std::string(ParseObject("").status().message()), HasSubstr("not JSON at byte 0"));
}

}  // namespace
}  // namespace tipstaff::cli
