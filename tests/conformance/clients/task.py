"""The task of a client and its report, as in task.mjs."""

import asyncio
import json
import sys

task = json.loads(sys.argv[1])


async def report(tools, call):
    """tools() gives names; call(name, arguments) gives a result as JSON has it."""

    async def run(what):
        return await call(what["name"], what["arguments"])

    names = await tools()
    first = await run(task["call"])
    refused = await run(task["refused"])
    begun = asyncio.ensure_future(run(task["cancel"]))
    # It has to begin before it can be cancelled.
    await asyncio.wait({begun}, timeout=max(0.05, task["cancel"]["after_ms"] / 1000))
    begun.cancel()
    await asyncio.wait({begun})
    cancelled = "cancelled" if begun.cancelled() else "finished"
    after = await run(task["call"])
    print(
        json.dumps(
            {
                "tools": names,
                "call": first,
                "refused": refused,
                "cancelled": cancelled,
                "after": after,
            }
        )
    )
