#include "mediator/mcp/list_pages.h"

#include "absl/strings/str_cat.h"
#include "mediator/base/status.h"
#include "mediator/json/write.h"
#include "mediator/mcp/message.h"

namespace tipstaff::mcp {
namespace {

absl::string_view ItemsKey(ListKind kind) {
  switch (kind) {
    case ListKind::kTools:
      return "tools";
    case ListKind::kResources:
      return "resources";
    case ListKind::kResourceTemplates:
      return "resourceTemplates";
    case ListKind::kPrompts:
      return "prompts";
  }
  return "";
}

absl::Status Over(absl::string_view limit) {
  return absl::ResourceExhaustedError(absl::StrCat("the list is longer than ", limit));
}

}  // namespace

absl::string_view ListMethod(ListKind kind) {
  switch (kind) {
    case ListKind::kTools:
      return "tools/list";
    case ListKind::kResources:
      return "resources/list";
    case ListKind::kResourceTemplates:
      return "resources/templates/list";
    case ListKind::kPrompts:
      return "prompts/list";
  }
  return "";
}

absl::StatusOr<std::optional<std::string>> ListPages::Add(json::Value result) {
  TIPSTAFF_RETURN_IF_ERROR(AddItems(result.Find(ItemsKey(kind_))));
  ++pages_;
  const json::Value cursor = result.Find("nextCursor");
  // Some servers write null for a list that is over.
  if (!cursor.exists() || cursor.is_null()) return std::optional<std::string>();
  if (!cursor.is_string()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`nextCursor` is not a string but ", json::KindName(cursor.kind())));
  }
  if (pages_ >= kMaxListPages) return Over(absl::StrCat(kMaxListPages, " pages"));
  bytes_ += cursor.string().size();
  if (bytes_ > kMaxListBytes) return Over(absl::StrCat(kMaxListBytes, " bytes"));
  if (!cursors_.insert(std::string(cursor.string())).second) {
    return absl::InvalidArgumentError(
        absl::StrCat("the cursor ", Shown(cursor.string()), " comes again: the list has no end"));
  }
  return absl::StrCat(R"({"cursor":)", json::Quote(cursor.string()), "}");
}

absl::Status ListPages::AddItems(json::Value items) {
  if (!items.is_array()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", ItemsKey(kind_), "` is ", items.exists() ? "not an array" : "missing"));
  }
  if (items.size() > kMaxListItems - items_.size()) {
    return Over(absl::StrCat(kMaxListItems, " items"));
  }
  for (const json::Value item : items.items()) {
    if (!item.is_object()) {
      return absl::InvalidArgumentError(
          absl::StrCat("item ", items_.size(), " of `", ItemsKey(kind_), "` is not an object"));
    }
    items_.push_back(json::Dump(item));
    bytes_ += items_.back().size();
    if (bytes_ > kMaxListBytes) return Over(absl::StrCat(kMaxListBytes, " bytes"));
  }
  return absl::OkStatus();
}

}  // namespace tipstaff::mcp
