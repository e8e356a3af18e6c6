"""The official Python SDK."""

import asyncio

from mcp import Client, StdioServerParameters
from task import report, task


async def main():
    target = task.get("url") or StdioServerParameters(**task["stdio"])
    async with Client(target) as client:

        async def tools():
            return [tool.name for tool in (await client.list_tools()).tools]

        async def call(name, arguments):
            result = await client.call_tool(name, arguments)
            return result.model_dump(mode="json", by_alias=True, exclude_none=True)

        await report(tools, call)


asyncio.run(main())
