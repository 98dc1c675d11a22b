"""What was asked for and is not there: the vendor's answer, a note beside the world, and nothing in the world itself."""

import asyncio
import json
from pathlib import Path

import httpx
import pytest
from mcp.shared.exceptions import MCPError
from rich.console import Console

from apps.jira.rest.door import template_path
from mcp_servers.catalogue import catalogue
from mcp_servers.error_bodies import bodies
from mcp_servers.serve import ToolServer
from tests.conftest import Server
from tests.doors.three import tokens
from world.agents.runner import perform
from world.agents.task import Task
from world.client import Client
from world.commands.run import report
from world.run.home import Home
from world.run.host import MAX_MISSES, Host

PERSON = "p_0002"
SCENARIO = "us_east_1_outage"


def asked(method: str, app: str, times: int = 1, door: str = "rest") -> dict[str, object]:
    """A note."""
    return {"app": app, "method": method, "door": door, "times": times}


def test_methods_that_no_app_has_are_noted_by_name_and_change_nothing(server: Server) -> None:
    host = server.up.host
    actor = server.do(lambda: host.create("w"))
    before = server.do(lambda: (actor.version, actor.now, actor.world.record_digest().hexdigest()))
    apps = ("slack", "jira", "gmail", "github")
    slack, jira, gmail, code = (server.do(lambda app=app: tokens(host, "w", PERSON, app, "user"))[0] for app in apps)
    with httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {slack}"}) as http:
        for _ in range(2):
            assert http.post("/slack/api/admin.users.list", json={"team_id": "T1"}).json()["error"] == "unknown_method"
        assert http.post("/slack/api/What is Zoë's salary").json()["error"] == "unknown_method"
        assert http.get("/slack/api/admin.apps.list", headers={"Authorization": ""}).json()["error"] == "unknown_method"
    with httpx.Client(base_url=f"{server.url}/jira", headers={"Authorization": f"Bearer {jira}"}) as http:
        assert http.get("/rest/api/3/project/SHOP/avatars", params={"q": "secret"}).status_code == 404
        assert http.patch("/rest/api/2/issue/SHOP-1", json={}).status_code == 405
    with httpx.Client(base_url=f"{server.url}/gmail", headers={"Authorization": f"Bearer {gmail}"}) as http:
        for address in (
            "/users/me/settings/cse/identities",
            "/users/me/messages/18f/replies/secret",
            "/users/me/salaries",
        ):
            assert http.get(f"/gmail/v1{address}", params={"q": "secret"}).status_code == 404
    with httpx.Client(base_url=f"{server.url}/github/api/v3", headers={"Authorization": f"Bearer {code}"}) as http:
        assert http.get("/repos/quayline/payments/attestations", params={"q": "secret"}).status_code == 404
        assert http.delete("/users/mia/packages/secret-1").status_code == 404
    assert server.do(lambda: host.misses("w")) == [
        asked("DELETE /users/{}/packages/{}", "github"),
        asked("GET /repos/{}/{}/attestations", "github"),
        asked("GET /gmail/v1/users/{userId}/messages/{}/replies/{}", "gmail"),
        asked("GET /gmail/v1/users/{userId}/salaries", "gmail"),
        asked("users.settings.cse.identities.list", "gmail"),
        asked("GET /rest/api/3/project/{}/avatars", "jira"),
        asked("PATCH /rest/api/{v}/issue/{issueIdOrKey}", "jira"),
        asked("?", "slack"),
        asked("admin.users.list", "slack", 2),
    ]
    assert server.do(lambda: (actor.version, actor.now, actor.world.record_digest().hexdigest())) == before
    with Client(url=server.control_url, secret="control secret") as client:
        assert [one["times"] for one in client.history("w")["missed"]] == [1, 1, 1, 1, 1, 1, 1, 1, 2]
    server.do(lambda: host.drop("w"))
    assert server.do(lambda: host.misses("w")) == []


def test_a_tool_that_a_surface_does_not_have_is_noted(firm: Host) -> None:
    firm.create("w")
    found = catalogue(firm.apps.values()).find("slack")
    server = ToolServer(firm, found, bodies(firm.apps), lambda _: firm.principal("w", PERSON))
    for name in ("slack_create_channel", "slack\nsecret"):
        with pytest.raises(MCPError, match="Unknown tool"):
            server.call(firm.principal("w", PERSON, app="slack"), name, {})
    with pytest.raises(MCPError, match="Unknown tool"):
        server.call(firm.principal("w", PERSON, app="jira"), "slack_send_message", {})
    assert firm.misses("w") == [
        asked("?", "slack-vendor", door="mcp"),
        asked("slack_create_channel", "slack-vendor", door="mcp"),
    ]


def test_there_is_an_end_to_the_notes_of_one_world(firm: Host) -> None:
    firm.create("w")
    for number in range(MAX_MISSES + 5):
        firm.record_unknown_method(firm.principal("w", PERSON), "rest", "slack", f"m{number}")
    firm.record_unknown_method(firm.principal("w", PERSON), "rest", "slack", "m0")
    assert len(firm.misses("w")) == MAX_MISSES and firm.misses("w")[0]["times"] == 2


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/rest/api/3/workflow/search", "/rest/api/3/workflow/search"),
        ("/rest/api/3/user/Zoë Kim", "/rest/api/3/user/{}"),
        ("/rest/api/3/project/web/avatars", "/rest/api/3/project/{}/avatars"),
        ("/rest/api/3/dashboard/10000/items/7/properties/note", "/rest/api/3/dashboard/{}/items/{}/properties/{}"),
        ("/rest/agile/1.0/board/4/reports", "/rest/agile/1.0/board/{}/reports"),
        ("/rest/servicedeskapi/request/SUP-1", "/rest/servicedeskapi/request/{}"),
        ("/rest/", "/rest"),
    ],
)
def test_the_path_of_a_miss_holds_no_argument(path: str, shown: str) -> None:
    assert template_path(path) == shown


def explorer(task: Task) -> None:
    """Asks for what is not there, and leaves."""
    with httpx.Client(base_url=task.url, headers={"Authorization": f"Bearer {task.tokens['slack']}"}) as http:
        http.post("/slack/api/calls.add")
        http.post("/world/finish", json={"answer": {}}, headers={"Authorization": f"Bearer {task.tokens['']}"})


@pytest.mark.full
def test_the_record_and_the_report_of_a_run_say_what_the_agent_did_not_find(
    home: Home, company: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    finished = asyncio.run(perform(home, SCENARIO, agent="tests.doors.test_misses:explorer", door="rest", seed=0))
    assert json.loads((finished.folder / "result.json").read_text(encoding="utf-8"))["missed"] == [
        asked("calls.add", "slack")
    ]
    assert "calls.add" not in (finished.folder / "trajectory.jsonl").read_text(encoding="utf-8")
    report(Console(), finished)
    assert "not there: slack calls.add over rest, 1x" in capsys.readouterr().out
