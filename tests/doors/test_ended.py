"""After the end of an episode every door says, in its vendor's shape, what ended it."""

from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client as McpClient
from mcp.client.streamable_http import streamable_http_client

from tests.conftest import Server
from world.client import Client, World

SCENARIO = "flapping_alert"
BUDGET = "this episode ended: call budget of 2 reached"
REST = {
    "slack": ("POST", "/slack/api/auth.test", 200),
    "slack file": ("GET", "/slack/files-pri/T1-F1/notes.txt", 404),
    "jira": ("GET", "/jira/rest/api/3/myself", 401),
    "gmail": ("GET", "/gmail/gmail/v1/users/me/profile", 401),
    "github": ("GET", "/github/api/v3/user", 401),
    "github graphql": ("POST", "/github/api/graphql", 401),
    "github git": ("GET", "/github/acme/web.git/info/refs?service=git-upload-pack", 401),
    "sheets": ("GET", "/sheets/v4/spreadsheets/abc", 401),
    "drive": ("GET", "/sheets/drive/v3/files", 401),
    "status": ("GET", "/status/index.json", 401),
    "world": ("GET", "/world/now", 401),
}
SURFACES = ("slack", "jira", "gmail", "github", "sheets", "world")


def ended_by_budget(server: Server) -> tuple[World, str]:
    """A world whose two calls are used up, and its employee's key."""
    with Client(secret="control secret", url=server.control_url) as client:
        world = client.create(scenario=SCENARIO, max_calls=2).world
        key = client.token(world).token
        said = [httpx.get(f"{server.url}/world/now", headers=bearer(key)) for _ in range(3)]
        assert [answer.status_code for answer in said] == [200, 200, 401]
        return client.describe(world), key


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def test_rest_says_what_ended_the_episode_in_the_vendors_shape(server: Server) -> None:
    world, key = ended_by_budget(server)
    assert (world.ended, world.ending) == ("budget", BUDGET)
    for name, (method, address, status) in REST.items():
        body = {"query": "{ viewer { login } }"} if name == "github graphql" else None
        answer = httpx.request(method, f"{server.url}{address}", headers=bearer(key), json=body)
        assert (name, answer.status_code) == (name, status)
        assert BUDGET in answer.text, name
    slack = httpx.post(f"{server.url}/slack/api/auth.test", headers=bearer(key)).json()
    assert slack == {"ok": False, "error": "token_revoked", "response_metadata": {"messages": [BUDGET]}}


@pytest.mark.anyio
async def test_every_tool_surface_says_what_ended_the_episode(server: Server) -> None:
    _, key = ended_by_budget(server)
    for app in SURFACES:
        text = await first_answer(server, app, key)
        assert BUDGET in text, (app, text)


async def first_answer(server: Server, app: str, key: str) -> str:
    """What the surface's first tool answers to a call without arguments that its schema demands."""
    path = "/mcp/world" if app == "world" else f"/mcp/{app}/operations"
    async with httpx2.AsyncClient(headers=bearer(key), timeout=60) as http:
        async with McpClient(streamable_http_client(f"{server.url}{path}", http_client=http)) as tools:
            listed = (await tools.list_tools()).tools
            name = next(tool.name for tool in listed if not tool.input_schema.get("required"))
            answer: Any = await tools.call_tool(name, {})
    assert answer.is_error
    return str(answer.content[0].text)


def test_every_page_says_what_ended_the_episode(server: Server) -> None:
    _, key = ended_by_budget(server)
    apps = [app for app in REST if " " not in app and app not in ("drive", "world")]
    with httpx.Client(base_url=server.url, cookies={"firm_session": key}, headers={"Accept": "text/html"}) as browser:
        for address in ("/", *(f"/{app}/" for app in apps)):
            answer = browser.get(address, follow_redirects=True)
            assert (address, answer.status_code) == (address, 401)
            assert BUDGET in answer.text and "Sign in" not in answer.text, address
        part = browser.get("/slack/", headers={"HX-Request": "true"}, follow_redirects=True)
        assert (part.status_code, part.headers["HX-Refresh"]) == (401, "true")


def test_a_finished_episode_says_so(server: Server) -> None:
    with Client(secret="control secret", url=server.control_url) as client:
        world = client.create(scenario=SCENARIO).world
        key = client.token(world).token
        httpx.post(f"{server.url}/world/finish", headers=bearer(key), json={}).raise_for_status()
        assert client.describe(world).ending == "this episode ended: the employee finished the task"
    refused = httpx.get(f"{server.url}/world/now", headers=bearer(key)).json()
    assert refused == {"error": "token_revoked", "message": "this episode ended: the employee finished the task"}
