#include "mediator/clients/snippet.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mediator/json/write.h"

namespace tipstaff::clients {
namespace {

// A JSON string is a Python string.
std::string Quoted(absl::string_view text) { return json::Quote(text); }

std::string Headers(const Server& server) {
  return absl::StrCat("{\"Authorization\": \"Bearer \" + os.environ[",
                      Quoted(server.token_variable), "]}");
}

// The members of the connection, each on a line of its own.
std::string Members(const Server& server, absl::string_view indent) {
  if (server.is_http()) {
    std::string text = absl::StrCat(indent, "\"url\": ", Quoted(server.url), ",\n");
    if (!server.token_variable.empty()) {
      absl::StrAppend(&text, indent, "\"headers\": ", Headers(server), ",\n");
    }
    return text;
  }
  const std::string arguments =
      absl::StrJoin(server.arguments, "", [&](std::string* out, const std::string& argument) {
        absl::StrAppend(out, indent, "    ", Quoted(argument), ",\n");
      });
  return absl::StrCat(indent, "\"command\": ", Quoted(server.command), ",\n", indent,
                      "\"args\": [\n", arguments, indent, "],\n");
}

// The SDK gives up on a call after 5 s unless told otherwise.
std::string OpenAiAgents(const std::string& name, const Server& server) {
  const absl::string_view type = server.is_http() ? "MCPServerStreamableHttp" : "MCPServerStdio";
  return absl::StrCat("# pip install openai-agents\n", "import asyncio\n",
                      server.token_variable.empty() ? "" : "import os\n",
                      "\nfrom agents import Agent, Runner\nfrom agents.mcp import ", type, "\n\n",
                      "tipstaff = ", type, "(\n    name=", Quoted(name), ",\n    params={\n",
                      Members(server, "        "),
                      "    },\n"
                      "    client_session_timeout_seconds=600,  # a call may wait for a person\n"
                      ")\n\n\n"
                      "async def main():\n"
                      "    async with tipstaff:\n"
                      "        agent = Agent(name=\"agent\", mcp_servers=[tipstaff])\n"
                      "        result = await Runner.run(agent, \"what the agent is to do\")\n"
                      "        print(result.final_output)\n\n\n"
                      "if __name__ == \"__main__\":\n"
                      "    asyncio.run(main())\n");
}

// One session for all: client.get_tools() would start tipstaff-guest for each call.
std::string LangGraph(const std::string& name, const Server& server) {
  return absl::StrCat(
      "# pip install langchain-mcp-adapters langgraph\n", "import asyncio\n",
      server.token_variable.empty() ? "" : "import os\n",
      "\nfrom langchain_mcp_adapters.client import MultiServerMCPClient\n"
      "from langchain_mcp_adapters.tools import load_mcp_tools\n\n"
      "client = MultiServerMCPClient({\n    ",
      Quoted(name),
      ": {\n        \"transport\": ", server.is_http() ? "\"streamable_http\"" : "\"stdio\"", ",\n",
      Members(server, "        "),
      "    },\n})\n\n\n"
      "async def main():\n    async with client.session(",
      Quoted(name),
      ") as session:\n"
      "        tools = await load_mcp_tools(session)\n"
      "        print([tool.name for tool in tools])  # give them to the agent, in here\n\n\n"
      "if __name__ == \"__main__\":\n"
      "    asyncio.run(main())\n");
}

}  // namespace

absl::StatusOr<std::string> Snippet(const Client& client, const std::string& name,
                                    const Server& server) {
  switch (client.kind) {
    case Kind::kOpenAiAgents:
      return OpenAiAgents(name, server);
    case Kind::kLangGraph:
      return LangGraph(name, server);
    default:
      return absl::InvalidArgumentError(
          absl::StrCat(client.title, " is set up in a file, not in Python"));
  }
}

}  // namespace tipstaff::clients
