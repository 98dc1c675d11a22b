"""Every operation through every door: the same rows, the same refusals."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import notebook
import pytest
from mcp import Client
from starlette.testclient import TestClient

from mcp_servers.in_process import server
from world.core.principal import Principal
from world.run.home import Home
from world.run.host import Host, open_host
from world.run.images import get_image
from world.server.agent_plane import agent_plane

Ask = Callable[[str, dict[str, Any]], bool]
SQL = "SELECT author, text FROM notebook_note ORDER BY id"


@pytest.fixture(scope="session")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small company, with this app in it."""
    return get_image(Home(tmp_path_factory.mktemp("home")), "XS")


@pytest.fixture
def host(image: Path, tmp_path: Path) -> Iterator[Host]:
    """A host with one world."""
    made = open_host(image, tmp_path / "worlds")
    made.create("w")
    yield made
    made.store.close()


@pytest.fixture
def me(host: Host) -> Principal:
    """An employee."""
    return host.principal("w", "dkowalski")


@pytest.fixture(params=["rest", "mcp", "page"])
def ask(request: pytest.FixtureRequest, host: Host, me: Principal) -> Ask:
    """Asks for an operation through a door; whether it was done."""
    doors = {"rest": through_rest, "mcp": through_mcp, "page": through_page}
    return doors[request.param](host, me)


def through_rest(host: Host, me: Principal) -> Ask:
    """POST with a token."""
    web = TestClient(agent_plane(host, [notebook]))
    headers = {"Authorization": f"Bearer {host.tokens.issue(me)}"}

    def ask(name: str, arguments: dict[str, Any]) -> bool:
        return web.post(f"/notebook/api/{name}", json=arguments, headers=headers).status_code == 200

    return ask


def through_mcp(host: Host, me: Principal) -> Ask:
    """The tools that every app has without a surface of its own."""

    async def call(name: str, arguments: dict[str, Any]) -> bool:
        async with Client(server(host, me, "notebook", None)) as tools:
            return not (await tools.call_tool(f"notebook_{name}", arguments)).is_error

    return lambda name, arguments: anyio.run(call, name, arguments)


def through_page(host: Host, me: Principal) -> Ask:
    """The forms of the page, signed in."""
    web = TestClient(agent_plane(host, [notebook]), cookies={"firm_session": host.tokens.issue(me)})

    def ask(name: str, arguments: dict[str, Any]) -> bool:
        page = web.get("/notebook/")
        if name == "list":
            return page.status_code == 200
        found = re.search(r'name="_token" value="([^"]+)"', page.text)
        assert found is not None
        sent = {"_token": found[1], **arguments}
        return web.post(f"/notebook/do/notebook.{name}", data=sent).status_code == 200

    return ask


def notes(host: Host) -> list[tuple[str, str]]:
    """List the rows of the table."""
    return [(str(name), str(text)) for name, text in host.actors["w"].bound.raw.execute(SQL)]


def test_a_note_is_written_listed_and_deleted(host: Host, me: Principal, ask: Ask) -> None:
    assert ask("write", {"text": "Call the bank"})
    assert notes(host) == [(me.person, "Call the bank")]
    assert ask("list", {})
    (found,) = host.peek(me, "rest", "notebook.list", {})
    assert ask("delete", {"id": found["id"]})
    assert notes(host) == []


def test_what_is_refused_changes_nothing(host: Host, me: Principal, ask: Ask) -> None:
    theirs = host.call(host.principal("w", "sweber"), "rest", "notebook.write", {"text": "Mine"})
    for name, arguments in (("write", {"text": ""}), ("delete", {"id": "none"}), ("delete", {"id": theirs["id"]})):
        assert not ask(name, arguments), (name, arguments)
    assert notes(host) == [(theirs["author"], "Mine")]
