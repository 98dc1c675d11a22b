"""Who may use which MCP session: the identity table, for every surface of every installed app."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from mcp_servers.http import McpEndpoint, routes
from tests.company import host as company_host
from tests.mcp_servers import memo
from tests.mcp_servers.memo import URL, served, token
from world.core import discovery
from world.run.host import Host

pytestmark = pytest.mark.anyio
LEGACY = "2025-11-25"
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
OPEN = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}},
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Host:
    made = company_host(tmp_path_factory.mktemp("installed"), discovery.apps())
    made.create("w2")
    return made


@pytest.fixture
def firm(tmp_path: Path) -> Host:
    return memo.firm(tmp_path)


@asynccontextmanager
async def raw(host: Host) -> AsyncIterator[httpx2.AsyncClient]:
    async with served(host, memo.known(host) if "pad" in host.apps else None) as web:
        async with httpx2.AsyncClient(transport=web, base_url=URL, headers=HEADERS) as client:
            yield client


async def opened(client: httpx2.AsyncClient, path: str, token: str) -> str:
    """A legacy session."""
    answer = await client.post(path, json=OPEN, headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200, answer.text
    session = answer.headers["mcp-session-id"]
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert (await sent(client, path, token, session, ready)).status_code == 202
    return session


async def sent(
    client: httpx2.AsyncClient, path: str, token: str, session: str | None, body: Any, **more: str
) -> httpx2.Response:
    """One request of a session."""
    headers = {"Authorization": f"Bearer {token}", "MCP-Protocol-Version": LEGACY, **more}
    if session is not None:
        headers["Mcp-Session-Id"] = session
    return await client.post(path, json=body, headers=headers)


def listing(id: int = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": "tools/list", "params": {}}


def addresses(host: Host) -> list[str]:
    """Every address of the front outside `/w`."""
    return [
        route.path
        for route in routes(host)
        if isinstance(route.endpoint, McpEndpoint) and route.path.startswith("/mcp")
    ]


async def test_a_session_answers_only_the_employee_who_opened_it(installed: Host) -> None:
    mia, other, foreign = token(installed), token(installed, "bo"), token(installed, world="w2")
    async with raw(installed) as client:
        found = addresses(installed)
        assert {"/mcp", "/mcp/world", "/mcp/slack", "/mcp/jira", "/mcp/slack/operations"} <= set(found)
        for path in found:
            session = await opened(client, path, mia)
            table = {
                "owner": (await sent(client, path, mia, session, listing(1))).status_code,
                "colleague": (await sent(client, path, other, session, listing(2))).status_code,
                "foreigner": (await sent(client, path, foreign, session, listing(3))).status_code,
                "foreigner on our path": (await sent(client, f"/w/w{path}", foreign, session, listing(4))).status_code,
                "nobody": (await sent(client, path, "firm-unknown", session, listing(5))).status_code,
                "owner again": (await sent(client, path, mia, session, listing(6))).status_code,
            }
            assert table == {
                "owner": 200,
                "colleague": 404,
                "foreigner": 404,
                "foreigner on our path": 404,
                "nobody": 401,
                "owner again": 200,
            }, path


async def test_nobody_is_asked_for_a_token_before_anything_else(firm: Host) -> None:
    async with raw(firm) as client:
        answer = await client.post("/mcp/pad", json=OPEN, headers={"Host": "evil.example"})
        basic = await client.post("/mcp/pad", json=OPEN, headers={"Authorization": f"Basic {token(firm)}"})
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert basic.status_code == 401


async def test_a_dropped_world_closes_its_tokens_and_a_new_generation_its_sessions(firm: Host) -> None:
    mia, gone = token(firm), token(firm, world="w2")
    async with raw(firm) as client:
        session = await opened(client, "/mcp/pad", mia)
        await opened(client, "/mcp/pad", gone)
        firm.drop("w2")
        assert (await sent(client, "/mcp/pad", gone, None, OPEN)).status_code == 401
        firm.actors["w"].generation += 1
        assert (await sent(client, "/mcp/pad", mia, session, listing())).status_code == 401
        fresh = token(firm, app="pad")
        assert (await sent(client, "/mcp/pad", fresh, session, listing())).status_code == 404


async def test_of_two_requests_with_one_id_in_flight_the_second_is_refused(firm: Host) -> None:
    mia = token(firm)
    async with raw(firm) as client:
        session = await opened(client, "/mcp/pad", mia)
        both = asyncio.gather(*(sent(client, "/mcp/pad", mia, session, listing(7)) for _ in range(5)))
        answers = await asyncio.wait_for(both, timeout=5)
        later = await sent(client, "/mcp/pad", mia, session, listing(7))
    assert sorted(a.status_code for a in answers) == [200, 400, 400, 400, 400]
    refused = next(a for a in answers if a.status_code == 400).json()
    assert refused["error"] == {"code": -32600, "message": "Request id already in flight"}
    assert later.status_code == 200


async def test_an_employee_holds_sixteen_sessions_and_the_oldest_goes_first(firm: Host) -> None:
    mia = token(firm)
    async with raw(firm) as client:
        sessions = [await opened(client, "/mcp/pad", mia) for _ in range(17)]
        other = await opened(client, "/mcp/pad", token(firm, "bo"))
        statuses = [(await sent(client, "/mcp/pad", mia, session, listing())).status_code for session in sessions]
        assert (await sent(client, "/mcp/pad", token(firm, "bo"), other, listing())).status_code == 200
    assert statuses == [404] + [200] * 16


async def test_a_closed_session_makes_room(firm: Host) -> None:
    mia = token(firm)
    async with raw(firm) as client:
        sessions = [await opened(client, "/mcp/pad", mia) for _ in range(16)]
        headers = {"Authorization": f"Bearer {mia}", "Mcp-Session-Id": sessions[3], "MCP-Protocol-Version": LEGACY}
        assert (await client.delete("/mcp/pad", headers=headers)).status_code == 200
        await opened(client, "/mcp/pad", mia)
        statuses = [(await sent(client, "/mcp/pad", mia, session, listing())).status_code for session in sessions]
    assert statuses == [200] * 3 + [404] + [200] * 12


async def test_foreign_hosts_and_origins_are_refused(firm: Host) -> None:
    mia = token(firm)
    async with raw(firm) as client:
        session = await opened(client, "/mcp/pad", mia)
        wrong_host = await sent(client, "/mcp/pad", mia, session, listing(1), Host="evil.example")
        rebound = await sent(client, "/mcp/pad", mia, None, OPEN, Host="evil.example:80")
        wrong_origin = await sent(client, "/mcp/pad", mia, session, listing(2), Origin="https://evil.example")
        own = await sent(client, "/mcp/pad", mia, session, listing(3), Origin="http://localhost:8400")
    assert [a.status_code for a in (wrong_host, rebound, wrong_origin, own)] == [421, 421, 403, 200]


async def test_a_name_on_the_allow_list_is_answered(firm: Host) -> None:
    from_there = {
        "Authorization": f"Bearer {token(firm)}",
        "Host": "firm.example:8400",
        "Origin": "https://firm.example",
    }
    async with memo.served(firm, memo.known(firm), allow_hosts=("firm.example",)) as web:
        async with httpx2.AsyncClient(transport=web, base_url=URL, headers=HEADERS) as client:
            assert (await client.post("/mcp/pad", json=OPEN, headers=from_there)).status_code == 200


MALFORMED = [
    (b"{", (400, 400)),
    (b"[]", (400, 400)),
    (b"[" + b"1," * 10 + b"1]", (400, 400)),
    (b"null", (400, 400)),
    (b"7", (400, 400)),
    (b"\xff\xfe", (400, 400)),
    (b'{"jsonrpc":"2.0","id":1}', (400, 400)),
    (b"[" * 100_000, (400, 400)),
    (b'{"jsonrpc":"2.0","id":"\\ud800","method":"tools/list"}', (200, 500)),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pad_jot","arguments":[]}}', (200, 400)),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}', (200, 400)),
    (b'{"jsonrpc":"2.0","id":1,"method":"no/such"}', (200, 404)),
]


@pytest.mark.parametrize(("body", "statuses"), MALFORMED)
@pytest.mark.parametrize("era", [LEGACY, "2026-07-28"])
async def test_malformed_bodies_are_refused_and_the_door_goes_on(
    firm: Host, body: bytes, statuses: tuple, era: str
) -> None:
    mia = token(firm)
    async with raw(firm) as client:
        session = await opened(client, "/mcp/pad", mia)
        headers = {"Authorization": f"Bearer {mia}", "MCP-Protocol-Version": era, "Mcp-Session-Id": session}
        answer = await asyncio.wait_for(client.post("/mcp/pad", content=body, headers=headers), 5)
        assert statuses[0] <= answer.status_code <= statuses[1], answer.text
        assert b"Traceback" not in answer.content and b"/" + b"site-packages" not in answer.content
        assert (await sent(client, "/mcp/pad", mia, session, listing(99))).status_code == 200


async def test_a_body_over_ten_megabytes_is_refused_in_either_era(firm: Host) -> None:
    mia = token(firm)
    params = {"name": "pad_jot", "arguments": {"message": "x" * 10_500_000}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    async with raw(firm) as client:
        session = await opened(client, "/mcp/pad", mia)
        legacy = await sent(client, "/mcp/pad", mia, session, body)
        modern = await sent(client, "/mcp/pad", mia, None, body, **{"MCP-Protocol-Version": "2026-07-28"})
    assert (legacy.status_code, modern.status_code) == (413, 413)
