#include "mediator/mcp/tool_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"

namespace tipstaff::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Tool Named(const std::string& name) {
  return {.name = name, .input_schema = R"({"type":"object"})"};
}

std::vector<std::string> Names(const Page& page) {
  std::vector<std::string> names;
  const json::Document tools = json::MustParse(page.items);
  for (const json::Value tool : tools.root().items()) {
    names.emplace_back(tool.StringOr("name", "?"));
  }
  return names;
}

TEST(PageOfTools, WritesEachMember) {
  const Tool tool = {.name = "reports_get",
                     .title = "Get",
                     .description = "Reads \"one\".\n",
                     .input_schema = R"({ "type": "object",
                                          "properties": {"n": {"const": 9007199254740993}} })",
                     .output_schema = R"({"type":"array"})",
                     .read_only = true};
  const absl::StatusOr<Page> modern = PageOfTools({tool}, std::nullopt, Generation::kModern);
  ASSERT_TRUE(modern.ok()) << modern.status();
  EXPECT_EQ(modern->items,
            R"([{"name":"reports_get","title":"Get","description":"Reads \"one\".\n",)"
            R"("inputSchema":{"type":"object","properties":{"n":{"const":9007199254740993}}},)"
            R"("outputSchema":{"type":"array"},"annotations":{"readOnlyHint":true}}])");
  const absl::StatusOr<Page> legacy = PageOfTools({tool}, std::nullopt, Generation::kLegacy);
  ASSERT_TRUE(legacy.ok()) << legacy.status();
  EXPECT_FALSE(json::MustParse(legacy->items).root().At(0).Find("outputSchema").exists())
      << "legacy clients reject the list for an output schema that is not of an object";
}

TEST(PageOfTools, ListsAnUpstreamsMembersAsTheyCame) {
  Tool tool = Named("a");
  tool.description = "ours";
  tool.read_only = true;
  tool.more = R"({"title":"T","annotations":{"destructiveHint":true,"x":9007199254740993},)"
              R"("icons":[{"src":"i"}],"_meta":{"k":1},)"
              R"("name":"other","description":"theirs","inputSchema":7,"outputSchema":7})";
  EXPECT_EQ(PageOfTools({tool}, std::nullopt, Generation::kModern)->items,
            R"([{"name":"a","description":"ours","inputSchema":{"type":"object"},"title":"T",)"
            R"("annotations":{"destructiveHint":true,"x":9007199254740993},)"
            R"("icons":[{"src":"i"}],"_meta":{"k":1}}])");
  tool.title = "pinned";
  const json::Document listed =
      json::MustParse(PageOfTools({tool}, std::nullopt, Generation::kModern)->items);
  EXPECT_EQ(listed.root().At(0).StringOr("title", ""), "pinned");
  tool.more = "{";
  EXPECT_THAT(PageOfTools({tool}, std::nullopt, Generation::kModern)->left_out,
              ElementsAre(HasSubstr("`a`: not JSON")));
}

TEST(PageOfTools, LeavesOutWhatWouldSpoilTheList) {
  Tool not_json = Named("not_json"), no_object = Named("no_object"), deep = Named("deep");
  not_json.input_schema = "{";
  no_object.input_schema = R"({"anyOf":[]})";
  deep.output_schema = std::string(100, '[') + std::string(100, ']');
  const absl::StatusOr<Page> page =
      PageOfTools({not_json, Named("good"), no_object, deep}, std::nullopt, Generation::kModern);
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_THAT(Names(*page), ElementsAre("good"));
  EXPECT_THAT(page->left_out, ElementsAre(HasSubstr("`not_json`: not JSON"),
                                          HasSubstr("`no_object`: the input schema's `type`"),
                                          HasSubstr("`deep`: nested deeper")));
}

TEST(PageOfTools, PagesByNumberAndSize) {
  std::vector<Tool> tools;
  for (int i = 0; i < 7; ++i) tools.push_back(Named(absl::StrCat("tool", i)));
  const auto all_pages = [&](const PageLimits& limits) {
    std::vector<std::string> pages;
    std::optional<std::string> cursor;
    do {
      const absl::StatusOr<Page> page = PageOfTools(tools, cursor, Generation::kLegacy, limits);
      EXPECT_TRUE(page.ok()) << page.status();
      std::string names;
      for (const std::string& name : Names(*page)) names += name.back();
      pages.push_back(names);
      cursor = page->next_cursor;
    } while (!cursor->empty() && pages.size() < 20);
    return pages;
  };
  EXPECT_THAT(all_pages({}), ElementsAre("0123456"));
  EXPECT_THAT(all_pages({.items = 3}), ElementsAre("012", "345", "6"));
  EXPECT_THAT(all_pages({.items = 7}), ElementsAre("0123456"));
  EXPECT_THAT(all_pages({.bytes = 200}), ElementsAre("01", "23", "45", "6"));
  EXPECT_THAT(all_pages({.bytes = 1}), ElementsAre("0", "1", "2", "3", "4", "5", "6"));
}

TEST(PageOfTools, TakesOnlyItsOwnCursors) {
  const std::vector<Tool> tools = {Named("a"), Named("b")};
  const auto page = [&](const std::string& cursor) {
    return PageOfTools(tools, cursor, Generation::kModern);
  };
  EXPECT_THAT(Names(*page("")), ElementsAre("a", "b")) << "an empty cursor is a cursor";
  EXPECT_THAT(Names(*page("after:0:a")), ElementsAre("b"));
  EXPECT_THAT(Names(*page("after:1:b")), IsEmpty());
  for (const char* cursor : {"after:0:c", "after:a", "after::a", "1", "a", "after:", "after:x:a"}) {
    EXPECT_EQ(page(cursor).status().code(), absl::StatusCode::kInvalidArgument) << cursor;
    EXPECT_THAT(std::string(page(cursor).status().message()), HasSubstr("invalid cursor"));
  }
  EXPECT_EQ(PageOfTools({}, std::nullopt, Generation::kModern)->items, "[]");
}

}  // namespace
}  // namespace tipstaff::mcp
