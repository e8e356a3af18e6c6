// The result of tools/call: the tool's own members as they came, and what Tipstaff adds.
#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "mediator/mcp/decision.h"
#include "mediator/mcp/version.h"

namespace tipstaff::mcp {

// `raw` (a CallToolResult as JSON) for a client of `generation`, on one line:
// - `_meta` keeps the tool's members and gains "tipstaff/decision"; a member of that name that the
//   tool itself sent, or a "serverInfo" of its, is dropped (it could pass for ours);
// - modern: `resultType` is "complete" and `_meta` names this server;
// - legacy: no `resultType`, and no `structuredContent` that is not an object (legacy clients
//   reject the whole result; the text copy is in `content`).
// InvalidArgument when `raw` is not JSON or not a result.
absl::StatusOr<std::string> ToolResult(absl::string_view raw, Generation generation,
                                       const ServerInfo& info,
                                       const std::optional<Decision>& decision);

// A CallToolResult with one text block and isError, for what the mediator could not answer.
std::string ErrorToolResult(absl::string_view text);

}  // namespace tipstaff::mcp
