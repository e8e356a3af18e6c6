#include "mediator/mcp/call_result.h"

#include <algorithm>
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

absl::Status CheckMembers(CallKind kind, json::Value root) {
  const auto want_array = [&](absl::string_view key) {
    return root.Find(key).is_array()
               ? absl::OkStatus()
               : absl::InvalidArgumentError(absl::StrCat("`", key, "` is not an array"));
  };
  switch (kind) {
    case CallKind::kTool:
      return root.Find("content").exists() ? want_array("content") : absl::OkStatus();
    case CallKind::kResource:
      return want_array("contents");
    case CallKind::kPrompt:
      return want_array("messages");
    case CallKind::kCompletion:
      return root.Find("completion").Find("values").is_array()
                 ? absl::OkStatus()
                 : absl::InvalidArgumentError("`completion` has no array `values`");
    case CallKind::kSubscription:
      return absl::OkStatus();
  }
  return absl::InternalError("no such kind of call");
}

// Members that are written anew or not at all.
bool IsReplaced(const json::Member& member, CallKind kind, bool modern) {
  if (member.key == "resultType" || member.key == "_meta") return true;
  if (kind == CallKind::kResource && (member.key == "ttlMs" || member.key == "cacheScope")) {
    return true;
  }
  return !modern && member.key == "structuredContent" && !member.value.is_object();
}

}  // namespace

absl::StatusOr<std::string> CallResult(CallKind kind, absl::string_view raw, Generation generation,
                                       const ServerInfo& info,
                                       const std::optional<Decision>& decision) {
  TIPSTAFF_ASSIGN_OR_RETURN(const json::Document document,
                            json::Parse(raw, {.max_depth = kMaxMessageDepth}));
  const json::Value root = document.root();
  if (!root.is_object()) return absl::InvalidArgumentError("not an object");
  TIPSTAFF_RETURN_IF_ERROR(CheckMembers(kind, root));
  const bool modern = generation == Generation::kModern;
  std::vector<std::string> members;
  if (modern) members.push_back(R"("resultType":"complete")");
  if (kind == CallKind::kTool && !root.Find("content").exists()) {
    members.push_back(R"("content":[])");
  }
  for (const json::Member& member : root.members()) {
    if (IsReplaced(member, kind, modern)) continue;
    members.push_back(MemberText(member.key, json::Dump(member.value)));
  }
  if (modern && kind == CallKind::kResource) {
    members.push_back(absl::StrCat(R"("ttlMs":)", std::max<int64_t>(root.IntegerOr("ttlMs", 0), 0),
                                   R"(,"cacheScope":"private")"));
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
