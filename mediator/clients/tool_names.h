// What clients make of the names of tools, and where that goes wrong.
//
// Models take names of 64 characters. Clients put the server's name in front, and then
// - claude-code: `mcp__SERVER__TOOL`; over 64 the API refuses the whole request
//   (anthropics/claude-code issues 2326, 16425);
// - claude-desktop: server and tool together over 64 are refused (sparfenyuk/mcp-proxy issue 45);
// - cursor: a tool whose name and server's name are over 60 together is left out without a word to
//   the agent (awslabs/mcp issue 1283);
// - vscode: `mcp_SERVER_TOOL`, 13 characters of the server's name, cut to 64: two tools can become
//   one (microsoft/vscode, McpPrefixGenerator and McpTool);
// - openai-agents, langgraph: the tool's own name; inspect: no limit.
#pragma once

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "mediator/clients/client.h"

namespace tipstaff::clients {

struct NameProblem {
  std::string tool;
  std::string problem;  // a clause
};

// Tools that the client cannot use by their names, when `server` is Tipstaff's name in it.
std::vector<NameProblem> CheckToolNames(const Client& client, const std::string& server,
                                        absl::Span<const std::string> tools);

}  // namespace tipstaff::clients
