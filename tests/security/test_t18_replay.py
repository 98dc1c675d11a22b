"""T18: what was captured from a world is worth nothing after it was dropped, even when its name is used again."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import httpx
import pytest

from tests.conftest import Server
from tests.security.reach import Employee
from world.core.errors import OperationError
from world.core.settings import Settings

Captured = list[httpx.Request]
BODY = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "slack_send_message", "arguments": {}}}


@pytest.fixture
def captured(served: Server) -> Iterator[Captured]:
    """Every reading and writing operation over REST, forms, a few pages, tools; and then the world is gone."""
    requests: Captured = []
    served.do(lambda: served.up.host.create("t18"))
    with Employee(served, "t18", "p_0002") as employee:
        employee.http.event_hooks["request"].append(requests.append)
        token = cache(employee.form_token)
        for operation, arguments in employee.examples(writes=True):
            employee.rest(operation, arguments)
            data = {"_token": token(operation.app), "channel": "#random", "text": "again"}
            employee.form(operation.app, operation.id, data)
        for app in ("slack", "sheets"):
            bearer = {
                "Authorization": f"Bearer {employee.bearer[app]}",
                "Accept": "application/json, text/event-stream",
            }
            employee.http.post(f"/mcp/{app}", json=BODY, headers=bearer)
        for key in exported(employee):
            list(map(employee.page, (f"/sheets/d/{key}/export?format=xlsx", f"/sheets/d/{key}/edit?dialog=share")))
        employee.http.post(
            "/world/wait", json={"seconds": 5}, headers={"Authorization": f"Bearer {employee.bearer['world']}"}
        )
        list(employee.walk("/slack/", "/jira/", "/sheets/", most=30))
    served.do(lambda: served.up.host.drop("t18"))
    yield requests


def exported(employee: Employee) -> list[str]:
    """The ids of a few spreadsheets."""
    bearer = {"Authorization": f"Bearer {employee.bearer['sheets']}"}
    asked = {"q": "mimeType = 'application/vnd.google-apps.spreadsheet'", "pageSize": 2}
    return [
        one["id"] for one in employee.http.get("/sheets/drive/v3/files", params=asked, headers=bearer).json()["files"]
    ]


def accepted(answer: httpx.Response) -> bool:
    return answer.status_code < 300 and '"ok":false' not in answer.text[:20]


def test_nothing_captured_is_accepted_after_the_world_is_gone(served: Server, captured: Captured) -> None:
    assert len(captured) > 400
    personal = [r for r in captured if not r.url.path.startswith(("/web/", "/login")) and "/static/" not in r.url.path]
    personal = [r for r in personal if not r.url.path.endswith((".css", ".svg", "/favicon.ico"))]
    with httpx.Client(timeout=60) as client:
        taken = [str(r.url) for r in personal if accepted(client.send(r))]
        assert not taken, taken[:5]
        served.do(lambda: served.up.host.create("t18"))
        with Employee(served, "t18", "p_0002"):
            before = served.do(lambda: served.up.host.actors["t18"].version)
            taken = [str(r.url) for r in personal if accepted(client.send(r))]
            assert not taken, taken[:5]
            assert served.do(lambda: served.up.host.actors["t18"].version) == before
    served.do(lambda: served.up.host.drop("t18"))


def test_a_form_sent_twice_is_done_once(served: Server) -> None:
    served.do(lambda: served.up.host.create("twice"))
    with Employee(served, "twice", "p_0002") as employee:
        data = {"_token": employee.form_token("slack"), "channel": "#random", "text": "only once, please"}
        for _ in range(5):
            assert employee.form("slack", "chat.postMessage", data).status_code == 303

        file = {"_token": employee.form_token("sheets"), "name": "only once, please", "mimeType": "text/plain"}
        for _ in range(5):
            assert employee.form("sheets", "drive.files.create", file).status_code == 303

    def count(table: str, column: str) -> int:
        raw = served.up.host.actors["twice"].bound.raw
        return raw.execute(f"SELECT count(*) FROM {table} WHERE {column} = 'only once, please'").fetchone()[0]

    assert served.do(lambda: (count("slack_message", "text"), count("drive_file", "name"))) == (1, 1)


def test_page_tokens_are_worth_nothing_to_others_elsewhere_and_when_bent(served: Server) -> None:
    host, names = served.up.host, ("pages", "pages-too")

    def ask(world: str, who: str, operation: str, **given: object) -> dict[str, Any]:
        return host.call(host.principal(world, who), "rest", operation, given)

    def token(world: str) -> str:
        host.create(world, Settings(limits="off", seed=len(world)))
        for number in range(3):
            ask(world, "p_0002", "drive.files.create", name=f"page {number}", mimeType="text/plain")
        return ask(world, "p_0002", "drive.files.list", q="name contains 'page'", pageSize=1)["nextPageToken"]

    def run() -> int:
        mine, other = map(token, names)
        assert ask(names[0], "p_0002", "drive.files.list", q="name contains 'page'", pageSize=1, pageToken=mine)[
            "files"
        ]
        bent = [mine[:at] + ("A" if mine[at] != "A" else "B") + mine[at + 1 :] for at in range(len(mine) - 1)]
        tries = [("p_0002", "name contains 'page'", one) for one in (other, "", "0", *bent) if one] + [
            ("p_0003", "name contains 'page'", mine),
            ("p_0002", "", mine),
            ("p_0002", "name contains 'pag'", mine),
        ]
        for who, q, one in tries:
            with pytest.raises(OperationError) as refused:
                ask(names[0], who, "drive.files.list", q=q, pageSize=1, pageToken=one)
            assert refused.value.code == "bad_page_token", (who, q, one)
        start = ask(names[0], "p_0002", "drive.changes.getStartPageToken")["startPageToken"]
        others = (
            ("p_0003", names[0], start),
            ("p_0002", names[1], start),
            ("p_0002", names[0], "1"),
            ("p_0002", names[0], str(int(start) + 1)),
        )
        for who, world, one in others:
            with pytest.raises(OperationError):
                ask(world, who, "drive.changes.list", pageToken=one)
        return len(tries)

    assert served.do(run) > 10
