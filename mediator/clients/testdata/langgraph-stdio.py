# pip install langchain-mcp-adapters langgraph
import asyncio

from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools

client = MultiServerMCPClient({
    "tipstaff": {
        "transport": "stdio",
        "command": "/opt/tip \"staff\"/bin/tipstaff-guest",
        "args": [
            "--connect",
            "/run/tipstaff/guest.sock",
            "--token-file",
            "/run/tipstaff/token",
        ],
    },
})


async def main():
    async with client.session("tipstaff") as session:
        tools = await load_mcp_tools(session)
        print([tool.name for tool in tools])  # give them to the agent, in here


if __name__ == "__main__":
    asyncio.run(main())
