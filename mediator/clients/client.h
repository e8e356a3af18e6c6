// The MCP clients that Tipstaff knows how to be named in.
//
//   const Client* client = FindClient("claude-code");
//   ConfigPath(*client, {.folder = "/src/x", .home = "/h/dana"});  // "/src/x/.mcp.json"
//
// Sources, each read in the client's own code or published schema (July to November 2026):
// - claude-code: the zod schema of `.mcp.json` in the bundle of @anthropic-ai/claude-code;
// - cursor: `vscode://schemas/mcp-config` of Cursor: an entry has no other members than these;
// - vscode: microsoft/vscode, mcpConfiguration.ts, and its page "MCP configuration reference";
// - inspect: `--config` of @modelcontextprotocol/inspector, 0.15 and 2.12;
// - openai-agents: MCPServerStdioParams of openai-agents 0.24;
// - langgraph: StdioConnection of langchain-mcp-adapters 0.3;
// - claude-desktop: modelcontextprotocol.io, "Connect to local MCP servers": processes only.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace tipstaff::clients {

enum class Kind {
  kClaudeCode,
  kClaudeDesktop,
  kCursor,
  kVsCode,
  kInspect,
  kOpenAiAgents,
  kLangGraph,
};

// Which `${...}` it replaces in an entry; nobody replaces `$NAME`, `~` or `%NAME%`.
enum class Expands {
  kNothing,
  kEnvironment,  // ${NAME} and ${NAME:-otherwise}
  kEditor,       // ${env:NAME}, ${userHome}, ${workspaceFolder}, ...
};

struct Client {
  Kind kind;
  absl::string_view name;         // on our command line
  absl::string_view title;        // for people
  absl::string_view servers_key;  // the member with the servers; "": it is set up in Python
  absl::string_view stdio_type;   // the entry's `type` for a process; "": it has none
  absl::string_view http_type;    // the same for an address
  bool takes_http = true;
  bool takes_comments = false;  // in its configuration
  Expands expands = Expands::kNothing;
  absl::string_view after;  // what a person does once the file is written
};

// In the order of our help.
absl::Span<const Client> AllClients();
// Null for a name that there is not.
const Client* FindClient(absl::string_view name);
// "claude-code, claude-desktop, ..."
std::string ClientNames();

// Folders that configurations are looked for in; absolute.
struct Places {
  std::string folder;       // the working folder, of clients that are configured for a project
  std::string home;         // $HOME
  std::string config_home;  // $XDG_CONFIG_HOME, else $HOME/.config
};

// The file that the client reads by default; "" for one that is set up in Python.
std::string ConfigPath(const Client& client, const Places& places);

}  // namespace tipstaff::clients
