#include "mediator/mcp/tool_list.h"

#include "mediator/base/status.h"
#include "mediator/json/builder.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/mcp/message.h"

namespace tipstaff::mcp {
namespace {

bool IsObjectSchema(json::Value schema) { return schema.StringOr("type", "") == "object"; }

// Members that the list has of its own: what an upstream says of them in `more` is not it.
bool IsOwnMember(const Tool& tool, absl::string_view key) {
  if (key == "title") return !tool.title.empty();
  return key == "name" || key == "description" || key == "inputSchema" || key == "outputSchema";
}

absl::Status AddMore(const Tool& tool, json::Builder& b) {
  if (tool.more.empty()) {
    b.Key("annotations").StartObject().Field("readOnlyHint", tool.read_only).EndObject();
    return absl::OkStatus();
  }
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document more,
                            json::Parse(tool.more, {.max_depth = kMaxMessageDepth}));
  for (const json::Member& member : more.root().members()) {
    if (!IsOwnMember(tool, member.key)) b.Field(member.key, member.value);
  }
  return absl::OkStatus();
}

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
  TIPSTAFF_RETURN_IF_ERROR(AddMore(tool, b));
  b.EndObject();
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document, std::move(b).Build());
  return json::Dump(document.root());
}

}  // namespace

absl::StatusOr<Page> PageOfTools(absl::Span<const Tool> tools,
                                 const std::optional<std::string>& cursor, Generation generation,
                                 const PageLimits& limits) {
  const PagedList list = {tools.size(), [&](size_t i) { return tools[i].name; },
                          [&](size_t i) { return ToolJson(tools[i], generation); }};
  return PageOf(list, cursor, limits);
}

}  // namespace tipstaff::mcp
