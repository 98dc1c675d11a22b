"""T10: a token issued for one app opens no door of another: not its REST API, not its pages, not its tools."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.conftest import Server
from tests.security.reach import REST, Employee
from world.core import discovery
from world.core.operation import Operation
from world.core.settings import Settings
from world.web.session import COOKIE

SUITES = {app.name: app.suite or app.name for app in discovery.apps()}  # one token opens the apps of a suite
PAIRS = [(app, other) for app in sorted(REST) for other in sorted(REST) if SUITES[app] != SUITES[other]]
SPREADSHEET = "application/vnd.google-apps.spreadsheet"
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
Reads = dict[str, tuple[Operation, dict[str, Any]]]


@pytest.fixture(scope="module")
def employee(served: Server) -> Iterator[Employee]:
    served.do(lambda: served.up.host.create("apps-1", Settings(limits="off")))
    with Employee(served, "apps-1", "p_0002") as made:
        yield made


@pytest.fixture(scope="module")
def reads(employee: Employee) -> Reads:
    """One reading operation of each app, with arguments, that its own token is answered."""
    found: Reads = {}
    for operation, arguments in employee.examples():
        if operation.app not in found and is_answered(asked(employee, operation, arguments, operation.app)):
            found[operation.app] = operation, arguments
    files = employee.host.operation("drive.files.list"), {"q": f"mimeType = '{SPREADSHEET}'"}
    spreadsheet = asked(employee, *files, "drive").json()["files"][0]["id"]
    found["sheets"] = employee.host.operation("spreadsheets.get"), {"spreadsheetId": spreadsheet}
    assert is_answered(asked(employee, *found["sheets"], "sheets")) and set(found) == set(REST)
    return found


def asked(employee: Employee, operation: Operation, arguments: dict[str, Any], other: str) -> httpx.Response:
    """An operation over REST, with the token of an app."""
    wire = REST[operation.app].wire(operation.id, arguments)
    return employee.http.request(
        wire.method,
        f"/{operation.app}{wire.path}",
        params=wire.query or None,
        json=wire.json,
        data=wire.form,
        headers={"Authorization": f"Bearer {employee.bearer[other]}", **wire.headers},
    )


def is_answered(answer: httpx.Response) -> bool:
    return answer.status_code == 200 and '"ok":false' not in answer.text[:20]


def opened(employee: Employee, app: str, other: str) -> httpx.Response:
    """A session of an app's tools, asked for with the token of an app."""
    headers = {
        "Authorization": f"Bearer {employee.bearer[other]}",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-06-18",
    }
    return employee.http.post(f"/mcp/{app}", json=HELLO, headers=headers)


@pytest.mark.parametrize(("app", "other"), PAIRS)
def test_a_token_of_another_app_is_refused_over_rest(employee: Employee, reads: Reads, app: str, other: str) -> None:
    before = employee.server.do(lambda: employee.host.actors["apps-1"].version)
    answer = asked(employee, *reads[app], other)
    assert not is_answered(answer), answer.text[:200]
    assert answer.status_code in (200, 401), answer.text[:200]
    assert employee.server.do(lambda: employee.host.actors["apps-1"].version) == before


def test_an_api_token_is_no_login(employee: Employee, reads: Reads) -> None:
    for app, (operation, arguments) in reads.items():
        wire = REST[app].wire(operation.id, arguments)
        for token in (employee.bearer[other] for other in REST):
            cookie = {"Cookie": f"{COOKIE}={token}"}
            page = employee.http.get(f"/{app}/", headers=cookie)
            assert page.status_code in (302, 303, 307, 401, 404), (app, page.status_code)
            answer = employee.http.get(f"/{app}{wire.path}", params=wire.query or None, headers=cookie)
            assert not is_answered(answer), (app, answer.text[:200])


def test_a_token_opens_the_tools_of_its_own_app_only(employee: Employee) -> None:
    for app in sorted(REST):
        assert opened(employee, app, app).status_code == 200
    for app, other in PAIRS:
        assert opened(employee, app, other).status_code == 401, (app, other)
