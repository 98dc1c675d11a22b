"""The references: a bare FastAPI echo and a bare low-level MCP echo tool, served as we serve; `python -m` this."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import mcp_types as types
from fastapi import FastAPI
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from pydantic import BaseModel
from starlette.routing import Route

from world.server.serve import run, server, tcp


class Echo(BaseModel):
    """Body of an echo's request and response."""

    text: str


def application() -> FastAPI:
    """`POST /echo`, `GET /echo`, and an `echo` tool at /mcp."""

    async def list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
        schema = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
        return types.ListToolsResult(tools=[types.Tool(name="echo", description="Echo.", input_schema=schema)])

    async def call_tool(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        text = str((params.arguments or {}).get("text", ""))
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)])

    manager = StreamableHTTPSessionManager(
        app=Server("echo", on_list_tools=list_tools, on_call_tool=call_tool), json_response=True
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None, None]:
        async with manager.run():
            yield

    app = FastAPI(lifespan=lifespan)

    @app.post("/echo")
    async def post(body: Echo) -> Echo:
        return body

    @app.get("/echo")
    async def get(text: str) -> Echo:
        return Echo(text=text)

    class Tools:
        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            await manager.handle_request(scope, receive, send)

    app.router.routes.append(Route("/mcp", Tools()))
    return app


async def _main() -> None:
    sock = tcp("127.0.0.1", 0)
    print(json.dumps({"url": f"http://127.0.0.1:{sock.getsockname()[1]}"}), flush=True)
    await server(application()).serve(sockets=[sock])


if __name__ == "__main__":
    run(_main())
