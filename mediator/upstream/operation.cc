#include "mediator/upstream/operation.h"

#include "absl/strings/str_cat.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"

namespace tipstaff::upstream {
namespace {

run::TookPlace Named(json::Value object) {
  const absl::string_view said = object.StringOr("took_place", "");
  if (said == "done") return run::TookPlace::kDone;
  if (said == "not_yet") return run::TookPlace::kNotYet;
  return run::TookPlace::kUnknown;
}

}  // namespace

mcp::ClientRequest QueryRequest(const PinnedItem& tool, const std::string& argument,
                                const std::string& key) {
  mcp::ClientRequest request;
  request.method = "tools/call";
  request.name = tool.given;
  request.params = absl::StrCat(R"({"name":)", json::Quote(tool.given), R"(,"arguments":{)",
                                json::Quote(argument), ":", json::Quote(key), "}}");
  return request;
}

run::TookPlace TookPlaceOf(const Link::End& end) {
  if (end.no_answer || end.error) return run::TookPlace::kUnknown;
  const auto result = json::Parse(end.result, {.max_depth = 2 * json::kMaxDepth});
  if (!result.ok() || result->root().BoolOr("isError", false)) return run::TookPlace::kUnknown;
  if (const json::Value structured = result->root().Find("structuredContent");
      structured.exists()) {
    return Named(structured);
  }
  const auto text = json::Parse(result->root().Find("content").At(0).StringOr("text", ""));
  return text.ok() ? Named(text->root()) : run::TookPlace::kUnknown;
}

}  // namespace tipstaff::upstream
