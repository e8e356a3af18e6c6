#include "mediator/clients/client.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tipstaff::clients {
namespace {

constexpr Client kClients[] = {
    {.kind = Kind::kClaudeCode,
     .name = "claude-code",
     .title = "Claude Code",
     .servers_key = "mcpServers",
     .stdio_type = "stdio",
     .http_type = "http",
     .expands = Expands::kEnvironment,
     .after =
         "start `claude` in that folder and approve the server when it asks (`/mcp` shows it)"},
    {.kind = Kind::kClaudeDesktop,
     .name = "claude-desktop",
     .title = "Claude Desktop",
     .servers_key = "mcpServers",
     .takes_http = false,
     .after = "quit Claude Desktop, not only its window, and start it again"},
    {.kind = Kind::kCursor,
     .name = "cursor",
     .title = "Cursor",
     .servers_key = "mcpServers",
     .expands = Expands::kEditor,
     .after = "enable the server in Cursor's settings, below MCP"},
    {.kind = Kind::kVsCode,
     .name = "vscode",
     .title = "VS Code",
     .servers_key = "servers",
     .stdio_type = "stdio",
     .http_type = "http",
     .takes_comments = true,
     .expands = Expands::kEditor,
     .after = "run `MCP: List Servers` in VS Code and start the server"},
    {.kind = Kind::kOpenAiAgents, .name = "openai-agents", .title = "OpenAI Agents SDK"},
    {.kind = Kind::kLangGraph, .name = "langgraph", .title = "LangGraph"},
    {.kind = Kind::kInspect,
     .name = "inspect",
     .title = "MCP Inspector",
     .servers_key = "mcpServers",
     .stdio_type = "stdio",
     .http_type = "streamable-http",
     .after = "npx @modelcontextprotocol/inspector --config FILE --server NAME"},
};

}  // namespace

absl::Span<const Client> AllClients() { return kClients; }

const Client* FindClient(absl::string_view name) {
  for (const Client& client : kClients) {
    if (client.name == name) return &client;
  }
  return nullptr;
}

std::string ClientNames() {
  return absl::StrJoin(kClients, ", ", [](std::string* out, const Client& client) {
    absl::StrAppend(out, client.name);
  });
}

std::string ConfigPath(const Client& client, const Places& places) {
  switch (client.kind) {
    case Kind::kClaudeCode:
      return absl::StrCat(places.folder, "/.mcp.json");
    case Kind::kClaudeDesktop:
      return absl::StrCat(places.config_home, "/Claude/claude_desktop_config.json");
    case Kind::kCursor:
      return absl::StrCat(places.folder, "/.cursor/mcp.json");
    case Kind::kVsCode:
      return absl::StrCat(places.folder, "/.vscode/mcp.json");
    case Kind::kInspect:
      return absl::StrCat(places.folder, "/mcp.json");
    case Kind::kOpenAiAgents:
    case Kind::kLangGraph:
      return "";
  }
  return "";
}

}  // namespace tipstaff::clients
