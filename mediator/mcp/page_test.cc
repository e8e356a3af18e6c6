#include "mediator/mcp/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tipstaff::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Prompt(const std::string& name) { return R"({"name":")" + name + R"("})"; }

TEST(PageOfObjects, ListsThemAsTheyCame) {
  const std::vector<std::string> kResources = {
      R"({ "uri": "file:///a", "name": "a", "_meta": {"n": 9007199254740993},
           "icons": [{"src": "x"}] })"};
  EXPECT_EQ(PageOfObjects(kResources, "uri", std::nullopt)->items,
            R"([{"uri":"file:///a","name":"a","_meta":{"n":9007199254740993},)"
            R"("icons":[{"src":"x"}]}])");
}

TEST(PageOfObjects, LeavesOutWhatWouldSpoilTheList) {
  const std::vector<std::string> kResources = {"{",
                                               "[]",
                                               R"({"uri":"a"})",
                                               R"({"name":"a"})",
                                               R"({"uri":7,"name":"a"})",
                                               R"({"uri":"b","name":"b"})"};
  const absl::StatusOr<Page> page = PageOfObjects(kResources, "uri", std::nullopt);
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_EQ(page->items, R"([{"uri":"b","name":"b"}])");
  EXPECT_THAT(page->left_out,
              ElementsAre(HasSubstr("not JSON"), HasSubstr("no string `name`"),
                          HasSubstr("no string `name`"), HasSubstr("no string `uri`"),
                          HasSubstr("no string `uri`")));
}

TEST(PageOfObjects, PagesPastItemsOfTheSameKey) {
  const std::vector<std::string> kPrompts = {Prompt("a"), Prompt("a"), Prompt("a"), Prompt("b")};
  std::optional<std::string> cursor;
  int pages = 0;
  do {
    const absl::StatusOr<Page> page = PageOfObjects(kPrompts, "name", cursor, {.items = 1});
    ASSERT_TRUE(page.ok()) << page.status();
    cursor = page->next_cursor;
    ++pages;
  } while (!cursor->empty() && pages < 10);
  EXPECT_EQ(pages, 4) << "each once, and the end is reached";
}

TEST(PageOfObjects, ACursorStaysGoodWhenTheListGrowsBeforeIt) {
  const std::vector<std::string> kFew = {Prompt("b"), Prompt("c")};
  const std::string cursor = PageOfObjects(kFew, "name", std::nullopt, {.items = 1})->next_cursor;
  const std::vector<std::string> kMore = {Prompt("a"), Prompt("b"), Prompt("c")};
  EXPECT_EQ(PageOfObjects(kMore, "name", cursor)->items, R"([{"name":"c"}])");
  EXPECT_EQ(PageOfObjects({Prompt("c")}, "name", cursor).status().code(),
            absl::StatusCode::kInvalidArgument)
      << "what it follows is gone";
}

TEST(PageOfObjects, AnEmptyCursorIsACursor) {
  EXPECT_EQ(PageOfObjects({Prompt("a")}, "name", "")->items, R"([{"name":"a"}])");
}

}  // namespace
}  // namespace tipstaff::mcp
