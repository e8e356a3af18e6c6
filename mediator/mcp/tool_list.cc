#include "mediator/mcp/tool_list.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "mediator/base/status.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/mcp/message.h"

namespace tipstaff::mcp {
namespace {

constexpr absl::string_view kCursorPrefix = "after:";

bool IsObjectSchema(json::Value schema) { return schema.StringOr("type", "") == "object"; }

absl::StatusOr<std::string> ToolJson(const Tool& tool, Generation generation) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document input,
                            json::Parse(tool.input_schema, {.max_depth = kMaxMessageDepth}));
  if (!IsObjectSchema(input.root())) {
    return absl::InvalidArgumentError("the input schema's `type` is not `object`");
  }
  json::Builder b(2 * kMaxMessageDepth);
  b.StartObject().Field("name", tool.name);
  if (!tool.title.empty()) b.Field("title", tool.title);
  if (!tool.description.empty()) b.Field("description", tool.description);
  b.Field("inputSchema", input.root());
  if (!tool.output_schema.empty()) {
    TIPSTAFF_ASSIGN_OR_RETURN(const json::Document output,
                              json::Parse(tool.output_schema, {.max_depth = kMaxMessageDepth}));
    if (generation == Generation::kModern ? output.root().is_object()
                                          : IsObjectSchema(output.root())) {
      b.Field("outputSchema", output.root());
    }
  }
  b.Key("annotations").StartObject().Field("readOnlyHint", tool.read_only).EndObject();
  b.EndObject();
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document, std::move(b).Build());
  return json::Dump(document.root());
}

// The index of the page's first tool.
absl::StatusOr<size_t> Start(absl::Span<const Tool> tools,
                             const std::optional<std::string>& cursor) {
  if (!cursor || cursor->empty()) return 0;
  absl::string_view name = *cursor;
  if (absl::ConsumePrefix(&name, kCursorPrefix)) {
    const auto found = std::find_if(tools.begin(), tools.end(),
                                    [&](const Tool& tool) { return tool.name == name; });
    if (found != tools.end()) return found - tools.begin() + 1;
  }
  return absl::InvalidArgumentError("invalid cursor: list again without one");
}

}  // namespace

absl::StatusOr<ToolPage> PageOfTools(absl::Span<const Tool> tools,
                                     const std::optional<std::string>& cursor,
                                     Generation generation, const PageLimits& limits) {
  TIPSTAFF_ASSIGN_OR_RETURN(const size_t start, Start(tools, cursor));
  ToolPage page;
  std::vector<std::string> listed;
  size_t bytes = 0;
  for (size_t i = start; i < tools.size(); ++i) {
    const absl::StatusOr<std::string> json = ToolJson(tools[i], generation);
    if (!json.ok()) {
      page.left_out.push_back(absl::StrCat(Shown(tools[i].name), ": ", json.status().message()));
      continue;
    }
    if (!listed.empty() && (listed.size() == limits.tools || bytes + json->size() > limits.bytes)) {
      page.next_cursor = absl::StrCat(kCursorPrefix, tools[i - 1].name);
      break;
    }
    bytes += json->size();
    listed.push_back(*json);
  }
  page.tools = absl::StrCat("[", absl::StrJoin(listed, ","), "]");
  return page;
}

}  // namespace tipstaff::mcp
