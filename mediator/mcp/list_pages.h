// The pages of a list that a server gives, put together.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/json/document.h"

namespace tipstaff::mcp {

enum class ListKind { kTools, kResources, kResourceTemplates, kPrompts };

// Of a list, over all its pages.
inline constexpr size_t kMaxListPages = 1000;
inline constexpr size_t kMaxListItems = 10'000;
inline constexpr size_t kMaxListBytes = 32 << 20;  // of items and cursors together

// "tools/list".
absl::string_view ListMethod(ListKind kind);

// Not thread-safe.
class ListPages {
 public:
  explicit ListPages(ListKind kind) : kind_(kind) {}

  ListKind kind() const { return kind_; }
  // Takes in the result of a page. The params of the request for the next one, nothing when this
  // was the last. An error for a page that is none, a cursor that was there before (the server
  // would go round for ever) or a list over the limits; its message is for people, escaped.
  absl::StatusOr<std::optional<std::string>> Add(json::Value result);
  // The items as they came, each a JSON object.
  std::vector<std::string> TakeItems() { return std::move(items_); }

 private:
  absl::Status AddItems(json::Value items);

  ListKind kind_;
  size_t pages_ = 0, bytes_ = 0;
  std::vector<std::string> items_;
  std::set<std::string> cursors_;
};

}  // namespace tipstaff::mcp
