"""A world that breaks is closed to its callers, at every door, in the vendor's shape; nothing else of the host notices."""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from tests.conftest import Server
from tests.security.reach import Employee
from world.client import Client, ControlError
from world.commands.world import command
from world.core.settings import Settings
from world.run.actor import Actor
from world.run.host import Host
from world.store import World

PERSON = "p_0002"
SHAPES: dict[str, tuple[str, str, Any]] = {  # method and address of a request of each vendor, its answer with 503
    "slack": ("POST", "/slack/api/auth.test", {"ok": False, "error": "service_unavailable"}),
    "jira": (
        "GET",
        "/jira/rest/api/3/myself",
        {"errorMessages": ["Jira is temporarily unavailable. Please try again later."], "errors": {}},
    ),
    "gmail": ("GET", "/gmail/gmail/v1/users/me/profile", "UNAVAILABLE"),
    "drive": ("GET", "/drive/drive/v3/about?fields=user", "backendError"),
    "sheets": ("GET", "/sheets/v4/spreadsheets/abc", "UNAVAILABLE"),
    "github": ("GET", "/github/api/v3/user", "No server is currently available to service your request."),
    "github graphql": ("POST", "/github/api/graphql", "No server is currently available to service your request."),
    "status": ("GET", "/status/index.json", {"error": "unavailable"}),
}
MCP = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
OPEN = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}


@pytest.fixture(scope="module")
def running(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose worlds are closed when they break, as it is outside of tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Host, "strict", False)
        made = Server(company, tmp_path_factory.mktemp("quarantine"))
        yield made
        made.stop()


@pytest.fixture
def control(running: Server) -> Iterator[Client]:
    with Client(secret="control secret", url=running.control_url) as made:
        yield made


@pytest.fixture
def two(running: Server, request: pytest.FixtureRequest) -> Iterator[tuple[Employee, Employee]]:
    """An employee of a world that is to break, and one of its neighbour."""
    names = [
        f"{re.sub('[^a-z0-9]+', '-', request.node.name.lower())[-50:].strip('-')}.{kind}" for kind in ("bad", "good")
    ]
    for name in names:
        running.do(partial(running.up.host.create, name, Settings(limits="off")))
    with Employee(running, names[0], PERSON) as bad, Employee(running, names[1], PERSON) as good:
        yield bad, good
    for name in names:
        running.do(partial(running.plane.drop, name))


def ask(one: Employee, vendor: str = "slack") -> httpx.Response:
    """A request of a vendor's client."""
    method, address, _ = SHAPES[vendor]
    body = {"query": "{ viewer { login } }"} if "graphql" in address else None
    bearer = one.bearer[vendor.partition(" ")[0]]
    return one.http.request(method, address, json=body, headers={"Authorization": f"Bearer {bearer}"})


def call_tool(one: Employee, name: str, path: str = "/mcp") -> httpx.Response:
    """A tool call in a session of its own."""
    headers = {**MCP, "Authorization": f"Bearer {one.bearer['world']}"}
    opened = one.http.post(
        path, json={"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": OPEN}, headers=headers
    )
    headers["Mcp-Session-Id"] = opened.headers["mcp-session-id"]
    one.http.post(path, json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=headers)
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": {}}}
    return one.http.post(path, json=asked, headers=headers)


def post(one: Employee, text: str) -> httpx.Response:
    bearer = {"Authorization": f"Bearer {one.bearer['slack']}"}
    return one.http.post("/slack/api/chat.postMessage", json={"channel": "#random", "text": text}, headers=bearer)


def raising(error: Exception) -> Callable[..., Any]:
    def boom(*_: Any, **__: Any) -> Any:
        raise error

    return boom


def break_operation(actor: Actor, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(actor, "run_operation", raising(KeyError("nobody thought of this")))


def break_events(actor: Actor, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(actor.events, "fire_until", raising(ZeroDivisionError("in an event")))


def break_end_of_call(actor: Actor, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(actor.events, "finish", raising(RecursionError("too deep")))


def break_commit(actor: Actor, patch: pytest.MonkeyPatch) -> None:
    commit = World.commit

    def fail(self: World, pages: dict[int, bytes]) -> None:
        if self is actor.world:
            raise MemoryError("while a commit was written")
        commit(self, pages)

    patch.setattr(World, "commit", fail)


def break_log(actor: Actor, patch: pytest.MonkeyPatch) -> None:
    """Bytes of the log change under the running server; what SQLite still holds of it is dropped."""
    log = actor.world.log
    assert log is not None
    path, size = Path(log.path), log.end - log.shift
    header = log.start - log.shift
    with path.open("r+b") as file:
        file.seek(header)
        file.write(b"\xff" * (size - header))
    actor.host.store.pool.leave(actor.world, actor.host.store.view(actor.world))


BREAKS = (break_operation, break_events, break_end_of_call, break_commit, break_log)


@pytest.mark.parametrize("breaking", BREAKS, ids=lambda one: one.__name__)
def test_what_breaks_closes_one_world_and_no_other(
    running: Server,
    control: Client,
    two: tuple[Employee, Employee],
    breaking: Callable[[Actor, pytest.MonkeyPatch], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bad, good = two
    assert post(bad, "before").json()["ok"] and post(good, "before").json()["ok"]
    running.do(lambda: breaking(running.up.host.actors[bad.world], monkeypatch))
    broken = post(bad, "breaks")
    assert (broken.status_code, broken.json()) == (503, SHAPES["slack"][2])
    assert ask(bad, "jira").status_code == 503, "and so it stays, for every app"
    assert post(good, "after").json()["ok"] and ask(good, "jira").status_code == 200
    told = {one["world"]: one for one in control.status()}
    assert told[good.world]["quarantined"] is None
    why = told[bad.world]["quarantined"]
    assert why["doing"] == "chat.postMessage (rest)" and why["error"] and str(running.folder) not in str(why)


@pytest.mark.parametrize("vendor", SHAPES)
def test_a_quarantined_world_answers_in_the_words_of_the_vendor(
    running: Server, two: tuple[Employee, Employee], vendor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = two
    running.do(lambda: break_operation(running.up.host.actors[bad.world], monkeypatch))
    first, second, wanted = ask(bad, vendor), ask(bad, vendor), SHAPES[vendor][2]
    assert first.status_code == second.status_code == 503 and first.content == second.content
    assert wanted in second.text if isinstance(wanted, str) else second.json() == wanted
    assert not re.search("quarantin|KeyError|nobody thought", second.text)
    assert ask(good, vendor).status_code in (200, 404)


def test_tools_pages_forms_and_the_live_socket_of_a_quarantined_world(
    running: Server, two: tuple[Employee, Employee], monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = two
    token = bad.form_token("slack")
    running.do(lambda: break_operation(running.up.host.actors[bad.world], monkeypatch))
    for _ in range(2):  # the call that breaks it, and one that finds it closed
        said = call_tool(bad, "slack_read_user_profile").json()["result"]
        assert said["isError"] and "internal_error" in said["content"][0]["text"], said
    shown = bad.page("/slack/", Accept="text/html")
    assert shown.status_code == 503 and "This service is unavailable" in shown.text
    sent = bad.form("slack", "chat.postMessage", {"_token": token, "channel": "C1", "text": "x"}, Accept="text/html")
    assert sent.status_code == 503 and "This service is unavailable" in sent.text
    part = bad.page("/slack/", **{"HX-Request": "true"})
    assert (part.status_code, part.headers["hx-refresh"]) == (503, "true")
    assert bad.page("/", Accept="text/html").status_code == bad.http.get(f"/login/{bad.cookie}").status_code == 503
    assert call_tool(good, "slack_read_user_profile").json()["result"]["isError"] is False
    assert good.page("/slack/", Accept="text/html").status_code in (200, 303)


def test_a_page_that_meets_damaged_rows_closes_the_world(
    running: Server, control: Client, two: tuple[Employee, Employee], monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = two
    assert post(bad, "before").json()["ok"]
    running.do(lambda: break_log(running.up.host.actors[bad.world], monkeypatch))
    shown = bad.page("/slack/", Accept="text/html")
    assert shown.status_code == 503 and "This service is unavailable" in shown.text
    assert good.page("/jira/", Accept="text/html").status_code in (200, 303)
    assert {one["world"] for one in control.status() if one["quarantined"]} == {bad.world}


def test_what_only_breaks_a_look_is_no_quarantine(
    running: Server, two: tuple[Employee, Employee], monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, _ = two
    with monkeypatch.context() as patch:
        patch.setattr(running.up.host.actors[bad.world], "peek", raising(KeyError("in a page")))
        assert bad.page("/slack/more", Accept="text/html", **{"Connection": "close"}).status_code == 500
    assert ask(bad).json()["ok"]


def test_the_operator_reads_a_quarantined_world_and_lets_its_callers_in_again(
    running: Server, control: Client, two: tuple[Employee, Employee], monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, _ = two
    assert post(bad, "before").json()["ok"]
    before = control.state_hash(bad.world)
    with monkeypatch.context() as patch:
        running.do(lambda: break_operation(running.up.host.actors[bad.world], patch))
        assert post(bad, "breaks").status_code == 503
    assert control.describe(bad.world).quarantined == {
        "doing": "chat.postMessage (rest)",
        "error": "KeyError",
        "cause": "'nobody thought of this'",
    }
    assert control.state_hash(bad.world) == before, "nothing of the call that broke is kept"
    assert control.history(bad.world)["calls"] and control.diff(bad.world)
    with pytest.raises(ControlError, match=r"quarantined: chat\.postMessage") as refused:
        control.inject(bad.world, PERSON, "auth.test")
    assert refused.value.status == 503
    with pytest.raises(ControlError, match="quarantined"):
        control.advance(bad.world, "1m")
    control.release(bad.world)
    assert post(bad, "again").json()["ok"] and control.describe(bad.world).quarantined is None
    with pytest.raises(ControlError, match="not quarantined") as unknown:
        control.release(bad.world)
    assert unknown.value.status == 404


def test_the_command_shows_what_broke_and_releases(
    running: Server, two: tuple[Employee, Employee], monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, _ = two
    with monkeypatch.context() as patch:
        running.do(lambda: break_operation(running.up.host.actors[bad.world], patch))
        assert ask(bad).status_code == 503
    monkeypatch.setattr("world.commands.world.Home.secret", lambda *_: "control secret")
    said = CliRunner().invoke(command, ["--url", running.control_url, "list"])
    told = next(one for one in json.loads(said.output) if one["world"] == bad.world)
    assert told["quarantined"]["error"] == "KeyError" and told["steps"] and told["longest_hold_ms"] > 0
    assert CliRunner().invoke(command, ["--url", running.control_url, "release", bad.world]).exit_code == 0
    assert ask(bad).json()["ok"]
