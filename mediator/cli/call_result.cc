#include "mediator/cli/call_result.h"

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/json/parse.h"

namespace tipstaff::cli {
namespace {

// What a tool made stands a little deeper in its result.
constexpr int kMaxDepth = 2 * json::kMaxDepth;

std::string Line(bool is_error, absl::string_view shown) {
  return absl::StrCat(is_error ? "error       " : "result      ", shown, "\n");
}

}  // namespace

std::string RenderResult(absl::string_view result) {
  if (result.empty()) return "";
  const absl::StatusOr<json::Document> parsed = json::Parse(result, {.max_depth = kMaxDepth});
  const json::Value content = parsed.ok() ? parsed->root().Find("content") : json::Value();
  const bool is_error = parsed.ok() && parsed->root().BoolOr("isError", false);
  if (!content.is_array() || content.size() == 0)
    return Line(is_error, parsed.ok() ? base::EscapeInJson(result) : base::Escape(result));
  std::string lines;
  for (json::Value block : content.items()) {
    const absl::string_view text = block.StringOr("text", "(not text)");
    const bool is_json = json::Parse(text, {.max_depth = kMaxDepth}).ok();
    lines += Line(is_error, is_json ? base::EscapeInJson(text) : base::Escape(text));
  }
  return lines;
}

}  // namespace tipstaff::cli
