// What the session makes of the mediator's answers.
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mediator/json/builder.h"
#include "mediator/json/write.h"
#include "mediator/mcp/session.h"
#include "mediator/mcp/tool_result.h"

namespace tipstaff::mcp {
namespace {

// The tools of a run change only when a backend does; nobody else may be shown this run's.
constexpr absl::string_view kListCaching = R"("ttlMs":60000,"cacheScope":"private")";

}  // namespace

std::vector<Output> ServerSession::OnTools(uint64_t ticket,
                                           const absl::StatusOr<std::vector<Tool>>& tools) {
  const std::optional<Request> request = Finish(ticket);
  if (!request) return {};
  if (!tools.ok()) {
    return One(
        Send{ErrorMessage(request->id, kInternalError,
                          absl::StrCat("the tools cannot be listed: ", tools.status().message()))});
  }
  const absl::StatusOr<ToolPage> page = PageOfTools(*tools, request->cursor, request->generation);
  if (!page.ok()) {
    return One(Send{ErrorMessage(request->id, kInvalidParams, page.status().message())});
  }
  std::vector<Output> outputs;
  for (const std::string& tool : page->left_out) {
    outputs.push_back(Note{absl::StrCat("left out of the list: tool ", tool)});
  }
  const bool modern = request->generation == Generation::kModern;
  std::string result =
      absl::StrCat("{", ResultPreamble(request->generation, info_), R"("tools":)", page->tools);
  if (!page->next_cursor.empty()) {
    absl::StrAppend(&result, R"(,"nextCursor":)", json::Quote(page->next_cursor));
  }
  if (modern) absl::StrAppend(&result, ",", kListCaching);
  outputs.push_back(Send{ResultMessage(request->id, absl::StrCat(result, "}"))});
  return outputs;
}

std::vector<Output> ServerSession::OnProgress(uint64_t ticket, const CallProgress& progress) {
  const auto found = requests_.find(ticket);
  if (found == requests_.end() || found->second.progress_token.empty()) return {};
  Request& request = found->second;
  // The protocol wants progress to grow; after a reconnection the mediator may repeat itself.
  if (!std::isfinite(progress.progress) || !std::isfinite(progress.total) ||
      (request.progress && progress.progress <= *request.progress)) {
    return {};
  }
  request.progress = progress.progress;
  json::Builder b;
  b.StartObject().Key("progress").Double(progress.progress);
  if (progress.total != 0) b.Key("total").Double(progress.total);
  if (!progress.message.empty()) b.Field("message", progress.message);
  b.EndObject();
  const absl::StatusOr<json::Document> document = std::move(b).Build();
  if (!document.ok()) return {};
  const std::string members = json::Dump(document->root());
  return One(Send{NotificationMessage(
      "notifications/progress",
      absl::StrCat(R"({"progressToken":)", request.progress_token, ",", members.substr(1)))});
}

std::vector<Output> ServerSession::OnCallEnd(uint64_t ticket, const CallEnd& end) {
  const std::optional<Request> request = Finish(ticket);
  if (!request) return {};
  if (end.decision && end.decision->reason == "unknown_tool") {
    return One(Send{ErrorMessage(
        request->id, kInvalidParams, absl::StrCat("unknown tool: ", Shown(request->tool)),
        absl::StrCat("{", json::Quote(kDecisionKey), ":", DecisionJson(*end.decision), "}"))});
  }
  const absl::StatusOr<std::string> result =
      ToolResult(end.result, request->generation, info_, end.decision);
  if (!result.ok()) {
    return One(Send{ErrorMessage(
        request->id, kInternalError,
        absl::StrCat("the mediator's result is not a tool result: ", result.status().message()))});
  }
  return One(Send{ResultMessage(request->id, *result)});
}

}  // namespace tipstaff::mcp
