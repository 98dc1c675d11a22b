"""The official client of the 2.x line against a running server: `python mcp_official.py MODE < plan`; prints what it
saw.
"""

import asyncio
import json
import sys
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError


async def visit(url: str, token: str, stop: dict[str, Any], mode: str) -> dict[str, Any]:
    """List, read, write, be refused and ask for nothing at one address."""
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as web:
        async with Client(streamable_http_client(url + stop["path"], http_client=web), mode=mode) as client:
            seen: dict[str, Any] = {"tools": [tool.name for tool in (await client.list_tools()).tools]}
            for what in ("read", "write", "refused"):
                name, arguments = stop[what]
                answer = await client.call_tool(name, arguments)
                seen[what] = [answer.is_error, answer.content[0].text]
            try:
                await client.call_tool("no_such_tool", {})
            except MCPError as error:
                seen["unknown"] = error.error.code
    return seen


async def main(mode: str) -> None:
    """Visit every address of the plan on stdin."""
    plan = json.load(sys.stdin)
    print(json.dumps([await visit(plan["url"], plan["token"], stop, mode) for stop in plan["stops"]]))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
