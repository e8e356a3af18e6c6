#include "stubs/engine/cursor.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "mediator/base/digest.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::engine {
namespace {

constexpr size_t kCheckBytes = 8;

std::string CheckOf(absl::string_view tool, absl::string_view place) {
  const base::Digest digest = base::DigestOf(absl::StrCat(tool, "\n", place));
  return std::string(digest.begin(), digest.begin() + kCheckBytes);
}

}  // namespace

std::string EncodeCursor(absl::string_view tool, absl::string_view key, json::Value cell) {
  std::string place = absl::StrCat("{\"k\":", json::Quote(key));
  if (cell.exists()) absl::StrAppend(&place, ",\"v\":", json::Canonical(cell));
  place += '}';
  return absl::WebSafeBase64Escape(absl::StrCat(place, CheckOf(tool, place)));
}

std::optional<Cursor> DecodeCursor(absl::string_view tool, absl::string_view text) {
  std::string bytes;
  if (!absl::WebSafeBase64Unescape(text, &bytes) || bytes.size() < kCheckBytes) return std::nullopt;
  const absl::string_view place = absl::string_view(bytes).substr(0, bytes.size() - kCheckBytes);
  if (CheckOf(tool, place) != bytes.substr(place.size())) return std::nullopt;
  absl::StatusOr<json::Document> parsed = json::Parse(place, {.max_depth = json::kMaxDepth + 1});
  if (!parsed.ok() || !parsed->root().Find("k").is_string()) return std::nullopt;
  std::string key(parsed->root().Find("k").string());
  return Cursor{std::move(key), *std::move(parsed)};
}

}  // namespace tipstaff::engine
