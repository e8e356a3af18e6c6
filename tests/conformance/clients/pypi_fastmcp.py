"""FastMCP's client."""

import asyncio

from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from task import report, task


async def main():
    target = task.get("url") or StdioTransport(**task["stdio"], keep_alive=False)
    async with Client(target) as client:

        async def tools():
            return [tool.name for tool in await client.list_tools()]

        async def call(name, arguments):
            result = await client.call_tool_mcp(name, arguments)
            return result.model_dump(mode="json", by_alias=True, exclude_none=True)

        await report(tools, call)


asyncio.run(main())
