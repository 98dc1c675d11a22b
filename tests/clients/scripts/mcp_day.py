"""A working day through the official client of the 2.x line: `python mcp_day.py auto|legacy http|stdio`; prints one
line.

FIRM_URL is the server's address, FIRM_TOKEN that of a person who may delete issues, FIRM_PEER the address of a
colleague,
FIRM_COMMAND the launcher of tools over stdio, as a JSON list.
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx2
import mcp_jira
import mcp_slack
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_round import Connect, Desk, rounds

URL = os.environ["FIRM_URL"]


def connections(mode: str, way: str) -> Connect:
    """How to reach a surface."""

    @asynccontextmanager
    async def connect(app: str, surface: str, token: str) -> AsyncIterator[Desk]:
        async with AsyncExitStack() as stack:
            transport: Any
            if way == "stdio":
                transport = stdio_client(launched(app, surface, token))
            else:
                web = await stack.enter_async_context(
                    httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60)
                )
                transport = streamable_http_client(f"{URL}/mcp/{app}/{surface}", http_client=web)
            yield await sat_down(await stack.enter_async_context(Client(transport, mode=mode)))

    return connect


def launched(app: str, surface: str, token: str) -> StdioServerParameters:
    """The launcher's process for one surface."""
    command, *arguments = json.loads(os.environ["FIRM_COMMAND"])
    environment = {"FIRM_URL": URL, "FIRM_TOKEN": token}
    return StdioServerParameters(command=command, args=[*arguments, app, "--surface", surface], env=environment)


async def sat_down(client: Client) -> Desk:
    """The desk of a connected client."""

    async def call(tool: str, arguments: dict[str, Any]) -> tuple[bool, str]:
        answer = await client.call_tool(tool, arguments)
        return bool(answer.is_error), answer.content[0].text

    async def unknown(tool: str) -> int:
        try:
            await client.call_tool(tool, {})
        except MCPError as error:
            return error.error.code
        return 0

    return Desk([tool.name for tool in (await client.list_tools()).tools], call, unknown)


if __name__ == "__main__":
    print(
        json.dumps(asyncio.run(rounds(connections(sys.argv[1], sys.argv[2]), {"slack": mcp_slack, "jira": mcp_jira})))
    )
