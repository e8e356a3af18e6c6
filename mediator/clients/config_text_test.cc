#include "mediator/clients/config_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tipstaff::clients {
namespace {

using ::testing::HasSubstr;

TEST(ParseConfigTest, ReadsPlainAndCommentedJson) {
  EXPECT_FALSE(ParseConfig("{\"a\": 1}")->has_comments);
  const absl::StatusOr<ConfigFile> commented = ParseConfig("// mine\n{\"a\": [1, 2,],}");
  ASSERT_TRUE(commented.ok()) << commented.status();
  EXPECT_TRUE(commented->has_comments);
  EXPECT_EQ(commented->document.root().Find("a").size(), 2u);
}

TEST(ParseConfigTest, SaysWhereItIsWrong) {
  const struct {
    const char *text, *message;
  } kRows[] = {
      {"", "1:1: not JSON"},
      {"{\n  \"a\": 1\n  \"b\": 2\n}", "3:3: not JSON: `,` or `}` is due"},
      {"{\"a\": 'x'}", "1:7: not JSON: a value is due"},
      {"// c\n{\"a\": }", "2:7: not JSON: a value is due"},
      {"{\"a\": 1, \"a\": 2}", "a key twice"},
      {"\xEF\xBB\xBF{}", "1:1: it begins with a byte order mark"},
      {"{\"a\": 1e999}", "1:7: a number that is out of range"},
      {"{} {}", "1:4: not JSON"},
  };
  for (const auto& row : kRows) {
    const absl::StatusOr<ConfigFile> config = ParseConfig(row.text);
    ASSERT_EQ(config.status().code(), absl::StatusCode::kInvalidArgument) << row.text;
    EXPECT_THAT(std::string(config.status().message()), HasSubstr(row.message)) << row.text;
  }
}

// Nothing that a client's other settings may hold makes it hang or overflow the stack.
TEST(ParseConfigTest, HostileTextsAreRefused) {
  EXPECT_FALSE(ParseConfig(std::string(1 << 20, '[')).ok());
  EXPECT_FALSE(ParseConfig(std::string(1 << 20, '/')).ok());
  EXPECT_FALSE(ParseConfig(std::string("{\"a\0b\": 1}", 10)).ok());
  EXPECT_FALSE(ParseConfig("{\"a\": \"\xFF\"}").ok());
}

}  // namespace
}  // namespace tipstaff::clients
