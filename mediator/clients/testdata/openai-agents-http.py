# pip install openai-agents
import asyncio

from agents import Agent, Runner
from agents.mcp import MCPServerStreamableHttp

tipstaff = MCPServerStreamableHttp(
    name="tipstaff",
    params={
        "url": "http://127.0.0.1:8787/mcp",
    },
    client_session_timeout_seconds=600,  # a call may wait for a person
)


async def main():
    async with tipstaff:
        agent = Agent(name="agent", mcp_servers=[tipstaff])
        result = await Runner.run(agent, "what the agent is to do")
        print(result.final_output)


if __name__ == "__main__":
    asyncio.run(main())
