#include "tests/harness/mcp_server/page.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace tipstaff::mcp_server {
namespace {

std::string Cursor(size_t page, const Options& options) {
  return page == 1 && options.empty_cursor ? "" : absl::StrCat("page ", page);
}

}  // namespace

absl::StatusOr<Page> PageOf(const std::vector<std::string>& items,
                            const std::optional<std::string>& cursor, const Options& options) {
  size_t number = 0;
  if (cursor && *cursor == "" && options.empty_cursor) {
    number = 1;
  } else if (cursor) {
    absl::string_view digits = *cursor;
    if (!absl::ConsumePrefix(&digits, "page ") || !absl::SimpleAtoi(digits, &number)) {
      return absl::InvalidArgumentError("invalid cursor");
    }
  }
  const bool pages = options.paged != 0 || options.empty_cursor;
  const size_t size = options.paged != 0 ? options.paged
                      : pages            ? 5
                                         : std::max<size_t>(1, items.size());
  const size_t from = std::min(items.size(), number * size);
  const size_t to = std::min(items.size(), from + size);
  Page page;
  page.items.assign(items.begin() + from, items.begin() + to);
  if (options.cursor_loop) {
    page.next = Cursor(1, options);
  } else if (to < items.size() || options.endless_pages) {
    page.next = Cursor(number + 1, options);
  }
  return page;
}

}  // namespace tipstaff::mcp_server
