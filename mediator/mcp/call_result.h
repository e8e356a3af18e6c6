// The result of a call: the backend's own members as they came, and what Tipstaff adds.
#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/mcp/call_kind.h"
#include "mediator/mcp/decision.h"
#include "mediator/mcp/version.h"

namespace tipstaff::mcp {

// `raw` (the result of a call of that kind as JSON: CallToolResult, ReadResourceResult,
// GetPromptResult, CompleteResult or EmptyResult) for a client of `generation`, on one line:
// - `_meta` keeps the backend's members and gains "tipstaff/decision"; a member of that name that
//   the backend itself sent, or a "serverInfo" of its, is dropped (it could pass for ours);
// - modern: `resultType` is "complete", `_meta` names this server, and a read says how long it may
//   be cached (as the backend has it, else not at all; never for others);
// - legacy: no `resultType`, and no `structuredContent` that is not an object (legacy clients
//   reject the whole result; the text copy is in `content`).
// InvalidArgument when `raw` is not JSON or lacks what its kind of result has to have.
absl::StatusOr<std::string> CallResult(CallKind kind, absl::string_view raw, Generation generation,
                                       const ServerInfo& info,
                                       const std::optional<Decision>& decision);

// A CallToolResult with one text block and isError, for what the mediator could not answer.
std::string ErrorToolResult(absl::string_view text);

}  // namespace tipstaff::mcp
