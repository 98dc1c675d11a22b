"""T1: no credential of an employee, at no door, reaches the control plane."""

from collections.abc import Iterator

import httpx
import pytest
from fastapi.routing import APIRoute

from tests.conftest import Server
from tests.security.reach import Employee
from world.server.control_plane import control_plane

DOORS = (
    "",
    "/slack",
    "/jira",
    "/status",
    "/gmail",
    "/mcp",
    "/mcp/slack",
    "/world",
    "/slack/api",
    "/jira/rest/api/3",
    "/gmail/gmail/v1",
    "/gmail/sync",
    "/github",
    "/sheets",
    "/tools",
    "/tools/slack",
)

VENDORS = {"/jira/rest/api/3/status", "/tools/status"}  # what is there under the name of a control route


def control_routes(server: Server, world: str) -> list[tuple[str, str]]:
    """Method and path of every route of the control plane, and those its framework would add."""
    routes = [r for r in control_plane(server.plane).routes if isinstance(r, APIRoute)]
    found = [(method, r.path.replace("{world}", world)) for r in routes for method in sorted(r.methods)]
    return [*found, ("GET", "/openapi.json"), ("GET", "/docs"), ("GET", "/redoc")]


@pytest.fixture(scope="module")
def employee(served: Server) -> Iterator[Employee]:
    served.do(lambda: served.up.host.create("t1"))
    with Employee(served, "t1", "p_0002") as made:
        yield made


def test_a_control_route_does_not_exist_on_the_agents_plane(served: Server, employee: Employee) -> None:
    before = sorted(served.up.host.actors)
    credentials = {
        "nothing": {},
        "control secret": {"Authorization": "Bearer control secret"},
        "cookie": {"Cookie": f"firm_session={employee.cookie}"},
        **{f"token of {app or 'all'}": {"Authorization": f"Bearer {token}"} for app, token in employee.bearer.items()},
    }
    routes = control_routes(served, "t1")
    assert len(routes) > 12
    tried = 0
    for method, path in routes:
        for who, headers in credentials.items():
            for door in DOORS if who == "cookie" else DOORS[:1]:
                answer = employee.http.request(method, f"{door}{path}", headers=headers, json={})
                tried += 1
                if answer.status_code == 200 and door + path in VENDORS:
                    continue
                assert answer.status_code >= 300 or '"ok":false' in answer.text, (
                    method,
                    door + path,
                    who,
                    answer.text[:200],
                )
                assert "control" not in answer.text.lower().replace("aria-controls", ""), (method, path, who)
    assert tried > 100
    assert sorted(served.up.host.actors) == before
    assert served.do(lambda: served.up.host.actors["t1"].ended) is None


@pytest.mark.full
def test_a_control_route_refuses_the_credentials_of_employees(served: Server, employee: Employee) -> None:
    for method, path in control_routes(served, "t1"):
        for token in (*employee.bearer.values(), employee.cookie, "none"):
            headers = {"Authorization": f"Bearer {token}", "Cookie": f"firm_session={token}"}
            answer = httpx.request(method, served.control_url + path, headers=headers, json={})
            assert answer.status_code in (401, 404), (method, path, answer.status_code)
            assert "t1" not in answer.text and "image" not in answer.text


def test_the_control_secret_is_no_employees_token(served: Server) -> None:
    answer = httpx.post(f"{served.url}/slack/api/auth.test", headers={"Authorization": "Bearer control secret"})
    assert answer.json() == {"ok": False, "error": "invalid_auth"}
    assert httpx.get(f"{served.url}/world/now", headers={"Authorization": "Bearer control secret"}).status_code == 401
