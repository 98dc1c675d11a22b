"""Tool surfaces over stdio: a bridge to a running server, or a world of its own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2
import mcp_types as types
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from mcp_servers.host_config import NAME, address
from world.core.lazy import Lazy

TIMEOUT_S = 300.0
Context = ServerRequestContext[Any, Any]


def bridge(url: str, token: str) -> Server[Client]:
    """A server that hands every request on to the one at `url`."""

    @asynccontextmanager
    async def connect_client(_: Server[Client]) -> AsyncIterator[Client]:
        headers = {"Authorization": f"Bearer {token}"}
        async with httpx2.AsyncClient(headers=headers, timeout=TIMEOUT_S) as web:
            async with Client(streamable_http_client(url, http_client=web)) as client:
                yield client

    async def list_tools(context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return await context.lifespan_context.list_tools()

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            return await context.lifespan_context.call_tool(params.name, params.arguments)
        except MCPError:
            raise
        except httpx2.HTTPError as error:
            raise MCPError(
                code=types.INTERNAL_ERROR, message=f"The server did not answer ({type(error).__name__})"
            ) from None

    return Server(NAME, version="1", lifespan=connect_client, on_list_tools=list_tools, on_call_tool=call_tool)


async def serve(server: Server[Any]) -> None:
    """Speak the protocol on stdin and stdout until stdin is closed; everything else goes to stderr."""
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def run_bridge(app: str, surface: str | None, url: str, token: str) -> None:
    """`firm mcp APP` with FIRM_URL and FIRM_TOKEN."""
    anyio.run(serve, bridge(address(url, app, surface), token))


def run_embedded(app: str, surface: str | None, scenario: str, seed: int) -> None:
    """`firm mcp APP --scenario NAME`: the world lasts as long as the process."""
    module = Lazy("mcp_servers.in_process")  # a bridge needs neither the kernel nor the apps
    module.run(app, surface, scenario, seed)
