"""A working day through the official client of the 1.x line: `python mcp_older_day.py`; prints one line.

FIRM_URL is the server's address, FIRM_TOKEN that of a person who may delete issues, FIRM_PEER the address of a
colleague.
"""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import mcp_jira
import mcp_slack
from mcp import ClientSession, McpError
from mcp.client.streamable_http import streamablehttp_client
from mcp_round import Desk, rounds

URL = os.environ["FIRM_URL"]


@asynccontextmanager
async def connect(app: str, surface: str, token: str) -> AsyncIterator[Desk]:
    """A surface, reached over HTTP."""
    headers = {"Authorization": f"Bearer {token}"}
    async with streamablehttp_client(f"{URL}/mcp/{app}/{surface}", headers=headers) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()
            yield await sat_down(session)


async def sat_down(session: ClientSession) -> Desk:
    """The desk of a connected session."""

    async def call(tool: str, arguments: dict[str, Any]) -> tuple[bool, str]:
        answer = await session.call_tool(tool, arguments)
        return bool(answer.isError), answer.content[0].text

    async def unknown(tool: str) -> int:
        try:
            await session.call_tool(tool, {})
        except McpError as error:
            return error.error.code
        return 0

    return Desk([tool.name for tool in (await session.list_tools()).tools], call, unknown)


if __name__ == "__main__":
    print(json.dumps(asyncio.run(rounds(connect, {"slack": mcp_slack, "jira": mcp_jira}))))
