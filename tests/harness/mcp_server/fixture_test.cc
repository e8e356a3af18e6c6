#include "tests/harness/mcp_server/fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/json/parse.h"

namespace tipstaff::mcp_server {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

std::vector<std::string> Names(const std::vector<std::string>& items, const char* key) {
  std::vector<std::string> names;
  for (const std::string& item : items) {
    const absl::StatusOr<json::Document> document = json::Parse(item);
    EXPECT_TRUE(document.ok()) << item << ": " << document.status();
    if (document.ok()) names.emplace_back(document->root().StringOr(key, "?"));
    EXPECT_TRUE(document.ok() && document->root().Find("description").is_string()) << item;
  }
  return names;
}

TEST(Fixture, HasWhatTheConformanceSuiteAsksFor) {
  EXPECT_THAT(Names(Tools({}, {}), "name"),
              IsSupersetOf({"test_simple_text", "test_image_content", "test_audio_content",
                            "test_embedded_resource", "test_multiple_content_types",
                            "test_error_handling", "test_tool_with_progress",
                            "test_tool_with_logging", "json_schema_2020_12_tool"}));
  EXPECT_THAT(Names(Resources(), "uri"),
              IsSupersetOf({"test://static-text", "test://static-binary"}));
  EXPECT_THAT(Names(ResourceTemplates(), "uriTemplate"), Contains("test://template/{id}/data"));
  EXPECT_THAT(Names(Prompts({}), "name"),
              IsSupersetOf({"test_simple_prompt", "test_prompt_with_arguments",
                            "test_prompt_with_embedded_resource", "test_prompt_with_image"}));
}

TEST(Fixture, ResultsAreJson) {
  for (const std::string& name : Names(Tools({}, {}), "name")) {
    if (const std::optional<std::string> result = FixedResult(name)) {
      EXPECT_TRUE(json::Parse(*result).ok()) << *result;
    }
  }
  EXPECT_EQ(FixedResult("echo"), std::nullopt);
  EXPECT_THAT(FixedResult("test_error_handling").value_or(""), HasSubstr(R"("isError":true)"));
}

TEST(Fixture, ResourcesAreRead) {
  EXPECT_EQ(
      Contents("test://template/1\"2/data").value_or(""),
      R"([{"uri":"test://template/1\"2/data","mimeType":"application/json",)"
      R"("text":"{\"id\":\"1\\\"2\",\"templateTest\":true,\"data\":\"Data for ID: 1\\\"2\"}"}])");
  for (const char* uri : {"test://template//data", "test://template/a/b/data", "test://x", ""}) {
    EXPECT_EQ(Contents(uri), std::nullopt) << uri;
  }
}

TEST(Fixture, PromptsTakeTheirArguments) {
  const json::Document arguments = json::MustParse(R"({"arg1":"hello","arg2":"world"})");
  EXPECT_THAT(Messages("test_prompt_with_arguments", arguments.root()).value_or(""),
              HasSubstr("Prompt with arguments: arg1='hello', arg2='world'"));
  EXPECT_EQ(Messages("another", arguments.root()), std::nullopt);
}

TEST(Fixture, CompletesByPrefix) {
  EXPECT_EQ(Completion("par"), R"({"values":["paris","park","party"],"total":3,"hasMore":false})");
  EXPECT_EQ(Completion("q"), R"({"values":[],"total":0,"hasMore":false})");
}

TEST(Fixture, FlagsAddTools) {
  EXPECT_THAT(Names(Tools({}, {}), "name"), Not(Contains("anyof")));
  EXPECT_THAT(Names(Tools({.top_level_anyof = true}, {}), "name"), Contains("anyof"));
  EXPECT_THAT(Names(Tools({.long_names = true}, {}), "name"),
              IsSupersetOf({std::string(128, 'm'), std::string("with spaces in it")}));
  EXPECT_NE(Tools({}, {}), Tools({}, {.changed = true}));
}

}  // namespace
}  // namespace tipstaff::mcp_server
