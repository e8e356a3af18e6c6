#include "mediator/mcp/tool_result.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/base/status.h"
#include "mediator/json/parse.h"
#include "mediator/json/write.h"
#include "mediator/mcp/message.h"

namespace tipstaff::mcp {
namespace {

std::string MemberText(absl::string_view key, absl::string_view json) {
  return absl::StrCat(json::Quote(key), ":", json);
}

std::string MetaJson(json::Value meta, Generation generation, const ServerInfo& info,
                     const std::optional<Decision>& decision) {
  std::vector<std::string> members;
  for (const json::Member& member : meta.members()) {
    if (member.key == kDecisionKey || member.key == kServerInfoKey) continue;
    members.push_back(MemberText(member.key, json::Dump(member.value)));
  }
  if (generation == Generation::kModern) {
    members.push_back(MemberText(kServerInfoKey, ServerInfoJson(info)));
  }
  if (decision) members.push_back(MemberText(kDecisionKey, DecisionJson(*decision)));
  return members.empty() ? "" : absl::StrCat("{", absl::StrJoin(members, ","), "}");
}

}  // namespace

absl::StatusOr<std::string> ToolResult(absl::string_view raw, Generation generation,
                                       const ServerInfo& info,
                                       const std::optional<Decision>& decision) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document,
                            json::Parse(raw, {.max_depth = kMaxMessageDepth}));
  const json::Value root = document.root();
  if (!root.is_object()) return absl::InvalidArgumentError("not an object");
  const json::Value content = root.Find("content");
  if (content.exists() && !content.is_array()) {
    return absl::InvalidArgumentError("`content` is not an array");
  }
  const bool modern = generation == Generation::kModern;
  std::vector<std::string> members;
  if (modern) members.push_back(R"("resultType":"complete")");
  if (!content.exists()) members.push_back(R"("content":[])");
  for (const json::Member& member : root.members()) {
    if (member.key == "resultType" || member.key == "_meta") continue;
    if (!modern && member.key == "structuredContent" && !member.value.is_object()) continue;
    members.push_back(MemberText(member.key, json::Dump(member.value)));
  }
  if (const std::string meta = MetaJson(root.Find("_meta"), generation, info, decision);
      !meta.empty()) {
    members.push_back(MemberText("_meta", meta));
  }
  return absl::StrCat("{", absl::StrJoin(members, ","), "}");
}

std::string ErrorToolResult(absl::string_view text) {
  return absl::StrCat(R"({"content":[{"type":"text","text":)", json::Quote(text),
                      R"(}],"isError":true})");
}

}  // namespace tipstaff::mcp
