# pip install openai-agents
import asyncio

from agents import Agent, Runner
from agents.mcp import MCPServerStdio

tipstaff = MCPServerStdio(
    name="tipstaff",
    params={
        "command": "/opt/tip \"staff\"/bin/tipstaff-guest",
        "args": [
            "--connect",
            "/run/tipstaff/guest.sock",
            "--token-file",
            "/run/tipstaff/token",
        ],
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
