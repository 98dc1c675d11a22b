"""The official client of the 1.x line against a running server: `python mcp_older.py < plan`; prints what it saw."""

import asyncio
import json
import sys
from typing import Any

from mcp import ClientSession, McpError
from mcp.client.streamable_http import streamablehttp_client


async def visit(url: str, token: str, stop: dict[str, Any]) -> dict[str, Any]:
    """List, read, write, be refused and ask for nothing at one address."""
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        streamablehttp_client(url + stop["path"], headers=headers) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        seen: dict[str, Any] = {"tools": [tool.name for tool in (await session.list_tools()).tools]}
        for what in ("read", "write", "refused"):
            name, arguments = stop[what]
            answer = await session.call_tool(name, arguments)
            seen[what] = [bool(answer.isError), answer.content[0].text]
        try:
            await session.call_tool("no_such_tool", {})
        except McpError as error:
            seen["unknown"] = error.error.code
    return seen


async def main() -> None:
    """Visit every address of the plan on stdin."""
    plan = json.load(sys.stdin)
    print(json.dumps([await visit(plan["url"], plan["token"], stop) for stop in plan["stops"]]))


if __name__ == "__main__":
    asyncio.run(main())
