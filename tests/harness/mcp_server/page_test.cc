#include "tests/harness/mcp_server/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tipstaff::mcp_server {
namespace {

// The pages that a client sees, up to six, with their cursors.
std::string Walk(const Options& options) {
  std::vector<std::string> items, pages;
  for (int i = 0; i < 7; ++i) items.push_back(absl::StrCat(i));
  std::optional<std::string> cursor;
  do {
    const absl::StatusOr<Page> page = PageOf(items, cursor, options);
    EXPECT_TRUE(page.ok()) << page.status();
    pages.push_back(absl::StrCat(absl::StrJoin(page->items, ""),
                                 page->next ? absl::StrCat(">", *page->next) : ""));
    cursor = page->next;
  } while (cursor && pages.size() < 6);
  return absl::StrJoin(pages, " | ");
}

TEST(PageOf, CutsAsTheFlagsSay) {
  EXPECT_EQ(Walk({}), "0123456");
  EXPECT_EQ(Walk({.paged = 3}), "012>page 1 | 345>page 2 | 6");
  EXPECT_EQ(Walk({.paged = 3, .empty_cursor = true}), "012> | 345>page 2 | 6");
  EXPECT_EQ(Walk({.empty_cursor = true}), "01234> | 56");
  EXPECT_EQ(Walk({.cursor_loop = true}),
            "0123456>page 1 | >page 1 | >page 1 | >page 1 | >page 1 | >page 1");
  EXPECT_EQ(Walk({.endless_pages = true}),
            "0123456>page 1 | >page 2 | >page 3 | >page 4 | >page 5 | >page 6");
}

TEST(PageOf, TakesItsOwnCursorsOnly) {
  for (const char* cursor : {"", "page", "page x", "3"}) {
    EXPECT_EQ(PageOf({"a"}, cursor, {}).status().code(), absl::StatusCode::kInvalidArgument)
        << cursor;
  }
}

}  // namespace
}  // namespace tipstaff::mcp_server
