"""A world inside the process of a stdio server, for one employee, as long as stdin is open."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio
from mcp.server.lowlevel import Server

from mcp_servers.catalogue import catalogue
from mcp_servers.error_bodies import bodies
from mcp_servers.serve import ToolServer
from mcp_servers.stdio import serve
from world.core.principal import Principal
from world.run import episode
from world.run.home import Home
from world.run.host import Host, open_host
from world.run.images import get_image
from world.script import loader


def server(host: Host, principal: Principal, app: str, surface: str | None, task: str = "") -> Server[object]:
    """A server on a world of this process, always as one employee; the task stands in its instructions."""

    @asynccontextmanager
    async def provide_principal(_: Server[object]) -> AsyncIterator[Principal]:
        yield principal

    tools = catalogue(host.apps.values()).find(app, surface)
    more = {"lifespan": provide_principal, "instructions": task or None}
    return ToolServer(host, tools, bodies(host.apps), lambda context: context.lifespan_context, **more).server


def run(app: str, surface: str | None, scenario: str, seed: int) -> None:
    """`firm mcp APP --scenario NAME`: the world lasts as long as the process."""
    found = loader.find_scenario(scenario)
    image = get_image(Home(), found.card.size)
    with TemporaryDirectory(prefix="firm-mcp-") as folder:
        host = open_host(image, Path(folder))
        try:
            started = episode.start(host, found, seed=seed, world="run")
            print(f"{found.name}, seed {seed}, as {started.agent}", file=sys.stderr)
            anyio.run(serve, server(host, started.principal(), app, surface, started.task))
        finally:
            host.store.close()
