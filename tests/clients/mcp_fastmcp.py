"""The client of fastmcp 4 against a running server: `python mcp_fastmcp.py < plan`; prints what it saw."""

import asyncio
import json
import sys
from typing import Any

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport


async def visit(url: str, token: str, stop: dict[str, Any]) -> dict[str, Any]:
    """List, read, write, be refused and ask for nothing at one address."""
    transport = StreamableHttpTransport(url + stop["path"], headers={"Authorization": f"Bearer {token}"})
    async with Client(transport) as client:
        seen: dict[str, Any] = {"tools": [tool.name for tool in await client.list_tools()]}
        for what in ("read", "write", "refused"):
            name, arguments = stop[what]
            answer = await client.call_tool(name, arguments, raise_on_error=False)
            seen[what] = [bool(answer.is_error), answer.content[0].text]
        try:
            await client.call_tool("no_such_tool", {})
        except Exception as error:  # noqa: BLE001  the client wraps the protocol's error in one of its own
            seen["unknown"] = -32602 if "Unknown tool: no_such_tool" in str(error) else str(error)
    return seen


async def main() -> None:
    """Visit every address of the plan on stdin."""
    plan = json.load(sys.stdin)
    print(json.dumps([await visit(plan["url"], plan["token"], stop) for stop in plan["stops"]]))


if __name__ == "__main__":
    asyncio.run(main())
