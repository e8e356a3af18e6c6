#include "mediator/clients/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::clients {
namespace {

using ::testing::HasSubstr;

const json::Document& NewEntry() {
  static const auto* const entry =
      new json::Document(json::MustParse(R"({"command":"/g","args":["a"]})"));
  return *entry;
}

absl::StatusOr<Merged> Add(absl::string_view text, bool replaces = false) {
  return Merge(text, "mcpServers", "tipstaff", NewEntry().root(), replaces);
}

TEST(MergeTest, TheRestStaysByteForByte) {
  const struct {
    const char *text, *merged, *why;
  } kRows[] = {
      {"",
       "{\n  \"mcpServers\": {\n    \"tipstaff\": {\n      \"command\": \"/g\",\n"
       "      \"args\": [\n        \"a\"\n      ]\n    }\n  }\n}\n",
       "a new file"},
      {" \n", nullptr, "nothing but white space is a new file too"},
      {"{}\n",
       "{\n  \"mcpServers\": {\n    \"tipstaff\": {\n      \"command\": \"/g\",\n"
       "      \"args\": [\n        \"a\"\n      ]\n    }\n  }\n}\n",
       "an empty object"},
      {"{\n\t\"theme\":   \"dark\" ,\n\t\"mcpServers\": {\n\t\t\"b\": {\"command\": "
       "\"x\"}\n\t}\n}\n",
       "{\n\t\"theme\":   \"dark\" ,\n\t\"mcpServers\": {\n\t\t\"b\": {\"command\": \"x\"},\n"
       "\t\t\"tipstaff\": {\n\t\t\t\"command\": \"/g\",\n\t\t\t\"args\": [\n\t\t\t\t\"a\"\n"
       "\t\t\t]\n\t\t}\n\t}\n}\n",
       "tabs, odd spaces and the order stay"},
      {"{\r\n    \"x\": 1\r\n}",
       "{\r\n    \"x\": 1,\r\n    \"mcpServers\": {\r\n        \"tipstaff\": {\r\n"
       "            \"command\": \"/g\",\r\n            \"args\": [\r\n                \"a\"\r\n"
       "            ]\r\n        }\r\n    }\r\n}",
       "Windows line ends, four spaces, no line end at the end"},
      {"{\"n\":1.50,\"mcpServers\":{\"b\":{}}}",
       "{\"n\":1.50,\"mcpServers\":{\"b\":{}, \"tipstaff\": "
       "{\"command\":\"/g\",\"args\":[\"a\"]}}}",
       "a file in one line stays one, and numbers as they were written"},
      {"{\n  \"mcpServers\": {},\n  \"z\": \"\\u00e9\"\n}\n",
       "{\n  \"mcpServers\": {\n    \"tipstaff\": {\n      \"command\": \"/g\",\n"
       "      \"args\": [\n        \"a\"\n      ]\n    }\n  },\n  \"z\": \"\\u00e9\"\n}\n",
       "an empty list of servers, and an escape as it was written"},
  };
  for (const auto& row : kRows) {
    const absl::StatusOr<Merged> merged = Add(row.text);
    ASSERT_TRUE(merged.ok()) << row.why << ": " << merged.status();
    if (row.merged != nullptr) {
      EXPECT_EQ(merged->text, row.merged) << row.why;
    }
    EXPECT_EQ(merged->change, Change::kAdded) << row.why;
    const json::Document read = json::MustParse(merged->text);
    EXPECT_TRUE(json::Equal(read.root().Find("mcpServers").Find("tipstaff"), NewEntry().root()))
        << row.why;
    // Once more changes nothing.
    const absl::StatusOr<Merged> again = Add(merged->text);
    EXPECT_EQ(again->change, Change::kNone) << row.why;
    EXPECT_EQ(again->text, merged->text) << row.why;
  }
}

TEST(MergeTest, AnotherEntryOfTheNameIsReplacedOnlyWhenAsked) {
  constexpr char kText[] =
      "{\n  \"mcpServers\": {\n    \"tipstaff\": {\"command\": \"/old\", \"env\": {}},\n"
      "    \"b\": 1\n  }\n}\n";
  EXPECT_EQ(Add(kText).status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(std::string(Add(kText).status().message()), HasSubstr("--replace"));
  const absl::StatusOr<Merged> replaced = Add(kText, /*replaces=*/true);
  ASSERT_TRUE(replaced.ok()) << replaced.status();
  EXPECT_EQ(replaced->change, Change::kReplaced);
  EXPECT_EQ(replaced->text,
            "{\n  \"mcpServers\": {\n    \"tipstaff\": {\n      \"command\": \"/g\",\n"
            "      \"args\": [\n        \"a\"\n      ]\n    },\n    \"b\": 1\n  }\n}\n");
}

// The key can be written with escapes; it is the same key.
TEST(MergeTest, AnEscapedNameIsTheSame) {
  constexpr char kText[] = R"({"mcp\u0053ervers": {"\u0074ipstaff": {"command": "/old"}}})";
  EXPECT_EQ(Add(kText).status().code(), absl::StatusCode::kAlreadyExists);
  const absl::StatusOr<Merged> replaced = Add(kText, /*replaces=*/true);
  ASSERT_TRUE(replaced.ok()) << replaced.status();
  EXPECT_EQ(replaced->text,
            R"({"mcp\u0053ervers": {"\u0074ipstaff": {"command":"/g","args":["a"]}}})");
}

TEST(MergeTest, WhatCannotBeKeptIsRefused) {
  const struct {
    const char* text;
    absl::StatusCode code;
    const char* message;
  } kRows[] = {
      {"// mine\n{}", absl::StatusCode::kFailedPrecondition, "comments"},
      {"{\"mcpServers\": {\"b\": {},}}", absl::StatusCode::kFailedPrecondition, "trailing commas"},
      {"{\"mcpServers\": [", absl::StatusCode::kInvalidArgument, "1:17: not JSON"},
      {"[]", absl::StatusCode::kInvalidArgument, "it is no object"},
      {"{\"mcpServers\": []}", absl::StatusCode::kInvalidArgument, "`mcpServers` is no object"},
      {"{\"mcpServers\": null}", absl::StatusCode::kInvalidArgument, "`mcpServers` is no object"},
      {"{\"a\":1,\"a\":2}", absl::StatusCode::kInvalidArgument, "a key twice"},
  };
  for (const auto& row : kRows) {
    const absl::StatusOr<Merged> merged = Add(row.text);
    EXPECT_EQ(merged.status().code(), row.code) << row.text;
    EXPECT_THAT(std::string(merged.status().message()), HasSubstr(row.message)) << row.text;
  }
}

TEST(MergeTest, CommentsAreNoMatterWhereNothingChanges) {
  const absl::StatusOr<Merged> merged =
      Add("{ // mine\n\"mcpServers\": {\"tipstaff\": {\"args\": [\"a\"], \"command\": \"/g\"}}}");
  ASSERT_TRUE(merged.ok()) << merged.status();
  EXPECT_EQ(merged->change, Change::kNone);
}

}  // namespace
}  // namespace tipstaff::clients
