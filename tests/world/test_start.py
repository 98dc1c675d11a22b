"""What a start loads, and that the rest is there when it is asked for."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Route
from starlette.testclient import TestClient

from world.server import serve
from world.server.lazy_app import LazyApplication, LazySurfaces
from world.server.serve import RunningServer

ROOT = Path(__file__).parents[2]
LATER = (
    "mcp",
    "mcp_servers.http",
    "fastapi",
    "httpx",
    "rich",
    "seeds.build",
    "world.grading",
    "world.agents.runner",
    "world.server.control_plane",
    "apps.github.rest",
    "apps.github.graphql.engine",
    "apps.slack.rest",
    "apps.jira.pages",
    "numpy",
)
START = f"""
import sys
import world.commands.served_world
from world.core import discovery
assert discovery.apps()
print(*(name for name in {LATER!r} if name in sys.modules))
"""


def test_a_start_loads_no_door_no_grader_and_no_generator() -> None:
    done = subprocess.run([sys.executable, "-c", START], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


class Surfaces(ModuleType):
    """Stands for a module of tool surfaces, and tells what became of it."""

    def __init__(self) -> None:
        super().__init__("surfaces")
        self.seen: list[str] = []

    def routes(self, *, word: str) -> list[BaseRoute]:
        self.seen.append("routes")
        return [
            Route("/mcp/app", lambda _: PlainTextResponse(word)),
            Route("/w/{world}/mcp", lambda one: PlainTextResponse(one.path_params["world"])),
        ]

    @asynccontextmanager
    async def lifespan(self, routes: list[BaseRoute]) -> AsyncIterator[None]:
        self.seen.append(f"open {len(routes)}")
        await asyncio.sleep(0)
        try:
            yield
        finally:
            self.seen.append("closed")


def test_surfaces_come_with_their_first_request_and_close_with_the_plane() -> None:
    surfaces = Surfaces()
    late = LazySurfaces(lambda: surfaces, word="hello")
    with TestClient(Starlette(routes=late.routes(), lifespan=late.lifespan)) as client:
        assert surfaces.seen == []
        assert client.get("/mcp/app").text == "hello"
        assert client.get("/w/main-1/mcp").text == "main-1"
        assert client.get("/mcp/none").status_code == client.get("/mcpx").status_code == 404
        assert surfaces.seen == ["routes", "open 2"]
    assert surfaces.seen == ["routes", "open 2", "closed"]


def test_requests_at_once_open_surfaces_once() -> None:
    surfaces = Surfaces()
    late = LazySurfaces(lambda: surfaces, word="hello")

    async def three() -> None:
        async with late.lifespan(None):
            found = await asyncio.gather(late.ready(), late.ready(), late.ready())
            assert found[0] is found[1] is found[2]

    asyncio.run(three())
    assert surfaces.seen == ["routes", "open 2", "closed"]


def test_without_surfaces_their_addresses_are_not_there() -> None:
    late = LazySurfaces(lambda: None)
    with TestClient(Starlette(routes=late.routes(), lifespan=late.lifespan)) as client:
        assert client.get("/mcp").status_code == 404


def test_what_nobody_asked_for_is_loaded_between_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "APART_S", 0)
    loaded: list[int] = []

    def door(number: int) -> LazyApplication:
        return LazyApplication(lambda: loaded.append(number) or PlainTextResponse(""))

    doors = (door(1), door(2), door(3))
    some: Any = SimpleNamespace(episodes={})

    async def both() -> None:
        await doors[1].ready()
        await RunningServer("", some, some, (), late=doors).warm()

    asyncio.run(both())
    assert loaded == [2, 1, 3]
