// Lists in pages, with cursors of our own.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace tipstaff::mcp {

struct PageLimits {
  size_t items = 100;
  size_t bytes = 1 << 20;  // of JSON; a page has at least one item
};

struct Page {
  std::string items;        // a JSON array
  std::string next_cursor;  // "": the last page
  // Items left out because a client would reject the whole list for them, with the reason.
  std::vector<std::string> left_out;
};

// A list that is not written down until a page needs it.
struct PagedList {
  size_t size = 0;
  std::function<std::string(size_t)> key;                   // what a cursor calls an item
  std::function<absl::StatusOr<std::string>(size_t)> json;  // an error leaves the item out
};

// The page that `cursor` names: nothing or "" is the first. A cursor names the item it follows, so
// it stays good while the list is the same or grows. InvalidArgument for one that is not ours.
absl::StatusOr<Page> PageOf(const PagedList& list, const std::optional<std::string>& cursor,
                            const PageLimits& limits = {});

// The same of objects as they came from an upstream, which have to have the string `name` and the
// string `key` ("uri", "uriTemplate" or "name").
absl::StatusOr<Page> PageOfObjects(absl::Span<const std::string> objects, absl::string_view key,
                                   const std::optional<std::string>& cursor,
                                   const PageLimits& limits = {});

}  // namespace tipstaff::mcp
