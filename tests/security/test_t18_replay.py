"""T18: what was captured from a world is worth nothing after it was dropped, even when its name is used again."""

from collections.abc import Iterator

import httpx
import pytest

from tests.conftest import Server
from tests.security.reach import Employee

Captured = list[httpx.Request]
BODY = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "slack_send_message", "arguments": {}}}


@pytest.fixture
def captured(served: Server) -> Iterator[Captured]:
    """Every reading and writing operation over REST, forms, a few pages, tools; and then the world is gone."""
    requests: Captured = []
    served.do(lambda: served.up.host.create("t18"))
    with Employee(served, "t18", "p_0002") as employee:
        employee.http.event_hooks["request"].append(requests.append)
        for operation, arguments in employee.examples(writes=True):
            employee.rest(operation, arguments)
            data = {"_token": employee.form_token(operation.app), "channel": "#random", "text": "again"}
            employee.form(operation.app, operation.id, data)
        bearer = {"Authorization": f"Bearer {employee.bearer['slack']}", "Accept": "application/json, text/event-stream"}
        employee.http.post("/mcp/slack", json=BODY, headers=bearer)
        employee.http.post("/world/wait", json={"seconds": 5}, headers={"Authorization": f"Bearer {employee.bearer['world']}"})
        list(employee.walk("/slack/", "/jira/", most=20))
    served.do(lambda: served.up.host.drop("t18"))
    yield requests


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

    def count() -> int:
        raw = served.up.host.actors["twice"].bound.raw
        return raw.execute("SELECT count(*) FROM slack_message WHERE text = 'only once, please'").fetchone()[0]

    assert served.do(count) == 1
