#include "mediator/cli/call_result.h"

#include "absl/strings/str_cat.h"
#include "mediator/base/escape.h"
#include "mediator/json/parse.h"

namespace tipstaff::cli {
namespace {

// What a tool made stands a little deeper in its result.
constexpr int kMaxDepth = 2 * json::kMaxDepth;

std::string Line(absl::string_view text) {
  return absl::StrCat("result      ", base::Escape(text), "\n");
}

}  // namespace

std::string RenderResult(absl::string_view result) {
  if (result.empty()) return "";
  const absl::StatusOr<json::Document> parsed = json::Parse(result, {.max_depth = kMaxDepth});
  const json::Value content = parsed.ok() ? parsed->root().Find("content") : json::Value();
  if (!content.is_array() || content.size() == 0) return Line(result);
  std::string lines;
  for (json::Value block : content.items()) lines += Line(block.StringOr("text", "(not text)"));
  return lines;
}

}  // namespace tipstaff::cli
