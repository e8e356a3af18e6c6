#include "mediator/cli/call_result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"

namespace tipstaff::cli {
namespace {

std::string Nested(int depth) {
  return absl::StrCat(std::string(depth, '['), std::string(depth, ']'));
}

TEST(RenderResult, SaysWhateverCameBack) {
  const std::string deep = absl::StrCat(R"({"content":[{"type":"text","text":"deep"}],)",
                                        R"("structuredContent":{"a":)");
  const struct {
    std::string result;
    std::string lines;
    const char* why;
  } kRows[] = {
      {"", "", "there is none"},
      {R"({"content":[{"type":"text","text":"a\u0007b"},{"type":"image","data":""}]})",
       "result      a\\x07b\nresult      (not text)\n", "its texts, escaped"},
      {absl::StrCat(deep, Nested(json::kMaxDepth - 1), "}}"), "result      deep\n",
       "as deep as a tool's value may be"},
      {absl::StrCat(deep, Nested(200), "}}"),
       absl::StrCat("result      ", deep, Nested(200), "}}\n"), "deeper than any may be"},
      {R"({"content":[],"structuredContent":{"a":1}})",
       "result      {\"content\":[],\"structuredContent\":{\"a\":1}}\n", "no text"},
      {R"({"structuredContent":{"a":1}})", "result      {\"structuredContent\":{\"a\":1}}\n",
       "no content"},
      {"[1]", "result      [1]\n", "no result of a tool"},
      {"x\n", "result      x\\n\n", "no JSON"},
      {R"({"content":[{"type":"text","text":"{\"a\":\"\\n\"}"}]})", "result      {\"a\":\"\\n\"}\n",
       "JSON within it"},
      {R"({"content":[{"type":"text","text":"no"}],"isError":true})", "error       no\n",
       "an error"},
  };
  for (const auto& row : kRows) EXPECT_EQ(RenderResult(row.result), row.lines) << row.why;
}

}  // namespace
}  // namespace tipstaff::cli
