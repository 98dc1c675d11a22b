"""Requests that are sent again: after 429 as often as the limit says, and reads after a broken connection."""

import httpx
import pytest

from world.client import async_requests, requests, wire

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class BusyServer(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Says 429 to the first requests, or breaks the connection, and counts all; nobody has to wait."""

    def __init__(self, refusals: int, *, breaks: bool = False) -> None:
        self.refusals, self.breaks, self.requests = refusals, breaks, 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.requests += 1
        if self.requests > self.refusals:
            return httpx.Response(200, json={"ok": True})
        if self.breaks:
            raise httpx.ReadError("broken")
        return httpx.Response(wire.BUSY, headers={"retry-after": "0"}, text="busy")

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return self.handle_request(request)


async def send_twice(method: str, refusals: int, *, breaks: bool = False) -> list[tuple[int, int]]:
    """Status and number of requests, by the client that waits and by the one on an event loop."""
    servers = [BusyServer(refusals, breaks=breaks) for _ in range(2)]
    with httpx.Client(transport=servers[0], base_url="http://control") as plain:
        first = requests.send_request(plain, method, "/worlds")
    async with httpx.AsyncClient(transport=servers[1], base_url="http://control") as on_loop:
        second = await async_requests.send_request(on_loop, method, "/worlds")
    return [(answer.status_code, server.requests) for answer, server in zip((first, second), servers, strict=True)]


async def test_a_busy_server_is_asked_again_until_it_answers() -> None:
    assert await send_twice("POST", wire.MOST_WAITS) == [(200, wire.MOST_WAITS + 1)] * 2


async def test_a_server_that_stays_busy_is_not_asked_for_ever() -> None:
    assert wire.MOST_WAITS == 60
    assert await send_twice("POST", 1000) == [(429, 61)] * 2


async def test_a_read_survives_broken_connections_and_a_write_does_not() -> None:
    assert await send_twice("GET", wire.TIMES - 1, breaks=True) == [(200, wire.TIMES)] * 2
    for method, refusals in (("GET", wire.TIMES), ("POST", 1)):
        with pytest.raises(httpx.ReadError):
            await send_twice(method, refusals, breaks=True)


@pytest.mark.parametrize(("told", "waits"), [("0", 0.0), ("7", 7.0), ("99999", wire.LONGEST_WAIT_S), (None, 1.0)])
def test_a_wait_is_what_the_server_says_within_bounds(told: str | None, waits: float) -> None:
    assert wire.wait_s(httpx.Response(429, headers={} if told is None else {"retry-after": told})) == waits
