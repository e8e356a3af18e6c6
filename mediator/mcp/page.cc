#include "mediator/mcp/page.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "mediator/base/status.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/mcp/message.h"

namespace tipstaff::mcp {
namespace {

constexpr absl::string_view kCursorPrefix = "after:";

// With the place, as two upstreams may have an item of the same key.
std::string CursorAfter(const PagedList& list, size_t index) {
  return absl::StrCat(kCursorPrefix, index, ":", list.key(index));
}

// The index of the page's first item.
absl::StatusOr<size_t> Start(const PagedList& list, const std::optional<std::string>& cursor) {
  if (!cursor || cursor->empty()) return 0;
  absl::string_view text = *cursor;
  size_t index = 0;
  const size_t colon = text.find(':', kCursorPrefix.size());
  if (absl::ConsumePrefix(&text, kCursorPrefix) && colon != absl::string_view::npos &&
      absl::SimpleAtoi(text.substr(0, colon - kCursorPrefix.size()), &index)) {
    const absl::string_view key = text.substr(colon - kCursorPrefix.size() + 1);
    if (index < list.size && list.key(index) == key) return index + 1;
    for (size_t i = 0; i < list.size; ++i) {
      if (list.key(i) == key) return i + 1;
    }
  }
  return absl::InvalidArgumentError("invalid cursor: list again without one");
}

absl::StatusOr<std::string> ObjectJson(const std::string& object, absl::string_view key) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document,
                            json::Parse(object, {.max_depth = kMaxMessageDepth}));
  for (const absl::string_view needed : {absl::string_view("name"), key}) {
    if (!document.root().Find(needed).is_string()) {
      return absl::InvalidArgumentError(absl::StrCat("no string `", needed, "`"));
    }
  }
  return json::Dump(document.root());
}

std::string KeyOf(const std::string& object, absl::string_view key) {
  const absl::StatusOr<json::Document> document =
      json::Parse(object, {.max_depth = kMaxMessageDepth});
  return document.ok() ? std::string(document->root().StringOr(key, "")) : "";
}

}  // namespace

absl::StatusOr<Page> PageOf(const PagedList& list, const std::optional<std::string>& cursor,
                            const PageLimits& limits) {
  TIPSTAFF_ASSIGN_OR_RETURN(const size_t start, Start(list, cursor));
  Page page;
  std::vector<std::string> listed;
  size_t bytes = 0;
  for (size_t i = start; i < list.size; ++i) {
    absl::StatusOr<std::string> json = list.json(i);
    if (!json.ok()) {
      page.left_out.push_back(absl::StrCat(Shown(list.key(i)), ": ", json.status().message()));
      continue;
    }
    if (!listed.empty() && (listed.size() == limits.items || bytes + json->size() > limits.bytes)) {
      page.next_cursor = CursorAfter(list, i - 1);
      break;
    }
    bytes += json->size();
    listed.push_back(*std::move(json));
  }
  page.items = absl::StrCat("[", absl::StrJoin(listed, ","), "]");
  return page;
}

absl::StatusOr<Page> PageOfObjects(absl::Span<const std::string> objects, absl::string_view key,
                                   const std::optional<std::string>& cursor,
                                   const PageLimits& limits) {
  const PagedList list = {objects.size(), [&](size_t i) { return KeyOf(objects[i], key); },
                          [&](size_t i) { return ObjectJson(objects[i], key); }};
  return PageOf(list, cursor, limits);
}

}  // namespace tipstaff::mcp
