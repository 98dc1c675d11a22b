"""Five hundred MCP sessions on one world: calls broken off, streams resumed, everything deleted; nothing fails or stays."""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.routing import Route

from mcp_servers.http import SESSIONS_EACH, McpEndpoint
from tests.conftest import Server
from tests.security.test_mcp_sessions import HEADERS, LEGACY, OPEN
from world.server.control_state import Grant, NewWorld
from world.server.lazy_app import LazySurfaces

pytestmark = pytest.mark.full
SESSIONS, AT_ONCE = 500, 64
WORLD = "crowd"
TOOLS = {"/mcp/slack": "slack_search_channels", "/mcp/slack/reference": "slack_list_channels"}
LIST = {"jsonrpc": "2.0", "id": 8, "method": "tools/list", "params": {}}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
BOUND_S = 240  # against a hang; nothing is asserted about time


@pytest.fixture
def crowded(company: Path, tmp_path: Path) -> Iterator[Server]:
    """A server with one world."""
    running = Server(company, tmp_path)
    running.do(lambda: running.plane.create(NewWorld(name=WORLD, settings={"limits": "off"})))
    yield running
    running.stop()


def tokens_of(server: Server) -> list[str]:
    """A token of each of as many employees as the sessions need."""
    sql = """SELECT p.id FROM person p JOIN account a ON a.person_id = p.id AND a.app = 'slack'
        WHERE p.kind = 'employee' AND p.status = 'active' ORDER BY p.id LIMIT ?"""
    needed = -(-SESSIONS // (SESSIONS_EACH * len(TOOLS)))

    def issue() -> list[str]:
        people = server.plane.host.actors[WORLD].bound.raw.execute(sql, (needed,)).fetchall()
        return [server.plane.grant(WORLD, Grant(person=str(id), app="slack"))["token"] for (id,) in people]

    found = server.do(issue)
    assert len(found) == needed
    return found


class Session:
    """One client's session."""

    def __init__(self, web: httpx.AsyncClient, path: str, token: str, said: Counter[int]) -> None:
        self._web, self._path, self._said = web, path, said
        self._headers = {**HEADERS, "Authorization": f"Bearer {token}"}

    async def open(self) -> None:
        answer = await self.post(OPEN)
        self._headers |= {"Mcp-Session-Id": answer.headers["mcp-session-id"], "MCP-Protocol-Version": LEGACY}
        assert (await self.post(READY)).status_code == 202

    async def post(self, body: Any) -> httpx.Response:
        answer = await self._web.post(self._path, json=body, headers=self._headers)
        self._said[answer.status_code] += 1
        return answer

    def call(self, id: int) -> dict[str, Any]:
        """A call of a tool of the address."""
        params = {"name": TOOLS[self._path], "arguments": {"query": "general"} if self._path == "/mcp/slack" else {}}
        return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}

    async def break_off(self, *, half: bool) -> None:
        """Begin a call and close the connection: within its body, or before the answer."""
        request = self._web.build_request("POST", self._path, json=self.call(7), headers=self._headers)
        head = "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
        body = request.content[: len(request.content) // 2] if half else request.content
        _, writer = await asyncio.open_connection(self._web.base_url.host, self._web.base_url.port)
        writer.write(f"POST {self._path} HTTP/1.1\r\n{head}\r\n".encode() + body)
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    async def resume(self) -> None:
        """Ask for the stream again after the last event, hear that it is there, and call."""
        headers = {**self._headers, "Accept": "text/event-stream", "Last-Event-ID": "7"}
        async with self._web.stream("GET", self._path, headers=headers) as stream:
            self._said[stream.status_code] += 1
        answer = await self.post(self.call(9))
        assert answer.status_code == 200 and "result" in answer.json(), answer.text

    async def delete(self) -> None:
        answer = await self._web.delete(self._path, headers=self._headers)
        self._said[answer.status_code] += 1
        assert answer.status_code == 200, answer.text
        assert (await self.post(LIST)).status_code == 404


async def play(url: str, tokens: list[str], said: Counter[int]) -> None:
    """All sessions open before the first is used, and all are used before the first is deleted."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def each(work: list[Any]) -> None:
        async def one(job: Any) -> None:
            async with gate:
                await job()

        await asyncio.gather(*map(one, work))

    limits = httpx.Limits(max_connections=AT_ONCE)
    async with httpx.AsyncClient(base_url=url, timeout=BOUND_S, limits=limits, trust_env=False) as web:
        sessions = [
            Session(web, [*TOOLS][n % len(TOOLS)], tokens[n // len(TOOLS) % len(tokens)], said) for n in range(SESSIONS)
        ]
        await each([one.open for one in sessions])
        broken, whole = sessions[::3], [one for n, one in enumerate(sessions) if n % 3]
        await each(
            [partial(one.break_off, half=bool(n % 2)) for n, one in enumerate(broken)]
            + [partial(one.post, one.call(7)) for one in whole]
        )
        await each([one.resume for one in broken])
        await each([one.delete for one in sessions])


def left_in(server: Server) -> dict[str, int]:
    """What the doors still hold."""
    [surfaces] = [one for one in server.up.late if isinstance(one, LazySurfaces)]
    router = surfaces._app
    assert router is not None
    doors = {id(one.endpoint): one.endpoint for one in router.routes if isinstance(one, Route)}
    found: Counter[str] = Counter()
    for door in doors.values():
        if isinstance(door, McpEndpoint):
            found["sessions"] += len(door._sessions) + len(door._owned) + len(door.manager._server_instances)
            found["calls"] += len(door._in_flight) + len(door._calls._count) + len(door._calls._closing)
    return dict(found)


def test_five_hundred_sessions_leave_no_error_and_nothing_behind(
    crowded: Server, caplog: pytest.LogCaptureFixture
) -> None:
    said: Counter[int] = Counter()
    tokens = tokens_of(crowded)
    with caplog.at_level(logging.WARNING):
        asyncio.run(asyncio.wait_for(play(crowded.url, tokens, said), BOUND_S))
    assert not [status for status in said if status >= 500], said
    assert said[404] == SESSIONS and said[202] == SESSIONS
    assert [one.getMessage() for one in caplog.records if one.exc_info or one.levelno >= logging.ERROR] == []
    assert crowded.do(lambda: left_in(crowded)) == {"sessions": 0, "calls": 0}
