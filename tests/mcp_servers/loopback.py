"""The front on a real socket, served by uvicorn on this event loop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette

from mcp_servers.catalogue import Catalogue
from mcp_servers.http import lifespan, routes
from world.run.host import Host
from world.server.serve import server, tcp


@asynccontextmanager
async def listening(firm: Host, known: Catalogue | None = None) -> AsyncIterator[str]:
    """The base address of a server that lasts as long as the context."""
    listed = routes(firm, known=known)

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        async with lifespan(listed):
            yield

    socket = tcp("127.0.0.1", 0)
    one: uvicorn.Server = server(Starlette(routes=listed, lifespan=life))
    task: asyncio.Task[Any] = asyncio.create_task(one.serve(sockets=[socket]))
    try:
        while not one.started:
            await asyncio.sleep(0)
        yield f"http://127.0.0.1:{socket.getsockname()[1]}"
    finally:
        one.should_exit = True
        await task
