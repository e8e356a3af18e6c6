#include "mediator/mcp/list_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"

namespace tipstaff::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ListPages, EachKindHasItsMemberAndMethod) {
  const std::tuple<ListKind, const char*, const char*> kKinds[] = {
      {ListKind::kTools, "tools/list", "tools"},
      {ListKind::kResources, "resources/list", "resources"},
      {ListKind::kResourceTemplates, "resources/templates/list", "resourceTemplates"},
      {ListKind::kPrompts, "prompts/list", "prompts"},
  };
  for (const auto& [kind, method, member] : kKinds) {
    EXPECT_EQ(ListMethod(kind), method);
    ListPages pages(kind);
    const json::Document page = json::MustParse(absl::StrCat(R"({")", member, R"(":[{"x":1}]})"));
    const absl::StatusOr<std::optional<std::string>> next = pages.Add(page.root());
    ASSERT_TRUE(next.ok()) << next.status();
    EXPECT_EQ(*next, std::nullopt);
    EXPECT_THAT(pages.TakeItems(), ElementsAre(R"({"x":1})"));
  }
}

TEST(ListPages, ReadsCursorsAsTheyAre) {
  struct Case {
    const char* reason;
    const char* page;
    const char* next;  // the params of the next request, or what is wrong
    bool ok = true;
  };
  const Case kCases[] = {
      {"the last page", R"({"tools":[]})", ""},
      {"null, as some servers write it", R"({"tools":[],"nextCursor":null})", ""},
      {"empty", R"({"tools":[],"nextCursor":""})", R"({"cursor":""})"},
      {"with what JSON escapes", R"({"tools":[],"nextCursor":"\"\n"})", R"({"cursor":"\"\n"})"},
      {"a number", R"({"tools":[],"nextCursor":7})", "not a string but integer", false},
      {"no array", R"({"tools":{}})", "`tools` is not an array", false},
      {"an item of another kind", R"({"tools":[{},"a"]})", "item 1 of `tools`", false},
  };
  for (const Case& c : kCases) {
    ListPages pages(ListKind::kTools);
    const json::Document page = json::MustParse(c.page);
    const absl::StatusOr<std::optional<std::string>> next = pages.Add(page.root());
    if (c.ok) {
      ASSERT_TRUE(next.ok()) << c.reason << ": " << next.status();
      EXPECT_EQ(next->value_or(""), c.next) << c.reason;
    } else {
      EXPECT_EQ(next.status().code(), absl::StatusCode::kInvalidArgument) << c.reason;
      EXPECT_THAT(std::string(next.status().message()), HasSubstr(c.next)) << c.reason;
    }
  }
}

// Adds pages of `items` items and a cursor of `bytes` until there is an error; its message.
std::string Flood(int items, size_t bytes) {
  ListPages pages(ListKind::kTools);
  for (size_t i = 0; i <= kMaxListPages; ++i) {
    json::Builder page;
    page.StartObject().Key("tools").StartArray();
    for (int item = 0; item < items; ++item) page.StartObject().EndObject();
    page.EndArray().Field("nextCursor", absl::StrCat(i, std::string(bytes, 'c'))).EndObject();
    const absl::StatusOr<std::optional<std::string>> next =
        pages.Add(std::move(page).Build()->root());
    if (!next.ok()) {
      EXPECT_EQ(next.status().code(), absl::StatusCode::kResourceExhausted);
      return std::string(next.status().message());
    }
  }
  return "no end";
}

TEST(ListPages, EndsAtEachLimit) {
  EXPECT_EQ(Flood(0, 0), "the list is longer than 1000 pages");
  EXPECT_EQ(Flood(100, 0), "the list is longer than 10000 items");
  EXPECT_EQ(Flood(0, 1 << 20), "the list is longer than 33554432 bytes");
  EXPECT_EQ(Flood(10'001, 0), "the list is longer than 10000 items");
}

}  // namespace
}  // namespace tipstaff::mcp
