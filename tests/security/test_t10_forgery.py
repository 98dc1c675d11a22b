"""T10: a form that did not stand on a page of ours changes nothing, and nothing is written by GET."""

from collections.abc import Iterator

import pytest

from tests.conftest import Server
from tests.security.reach import STRIDE, Employee
from world.core import discovery
from world.core.operation import Operation

WRITES = [
    (app.name, operation) for app in discovery.apps() for operation in app.operations.values() if operation.writes
]


@pytest.fixture(scope="module")
def employee(served: Server) -> Iterator[Employee]:
    served.do(lambda: served.up.host.create("t10"))
    with Employee(served, "t10", "p_0002") as made:
        yield made


def version(served: Server) -> int:
    return served.do(lambda: served.up.host.actors["t10"].version)


def form(operation: Operation) -> dict[str, str]:
    return {name: "SHOP-1" for name, info in operation.params.model_fields.items() if info.is_required()}


@pytest.mark.full
def test_every_form_without_our_token_or_from_elsewhere_is_refused(served: Server, employee: Employee) -> None:
    before = version(served)
    tokens = {
        app: employee.form_token(app) for app in ("slack", "jira", "status", "gmail", "github", "drive", "sheets")
    }
    with Employee(served, "t10", "p_0003") as colleague:
        other = colleague.form_token("slack")
    for nth, (app, operation) in enumerate(WRITES):
        data, own = form(operation), tokens[app]
        forged: dict[str, tuple[dict[str, str], dict[str, str]]] = {
            "empty token": ({"_token": ""}, {}),
            "a colleague's token": ({"_token": other}, {}),
            "a token with another number": ({"_token": own.partition(".")[0] + ".x"}, {}),
            "a foreign origin": ({"_token": own}, {"Origin": "https://evil.example"}),
            "no origin at all, said": ({"_token": own}, {"Origin": "null"}),
        }
        for what, (more, headers) in (("no token", ({}, {})), *list(forged.items())[nth % STRIDE :: STRIDE]):
            answer = employee.form(app, operation.id, {**data, **more}, **headers)
            assert answer.status_code == 403, (operation.id, what, answer.status_code)
    assert version(served) == before


@pytest.mark.full
def test_no_form_is_sent_by_get(served: Server, employee: Employee) -> None:
    before = version(served)
    for app, operation in WRITES:
        answer = employee.page(f"/{app}/do/{operation.id}?_token={employee.cookie}&channel=C1&text=x")
        assert answer.status_code in (404, 405), operation.id
    assert version(served) == before


def test_pages_forbid_framing_and_foreign_resources(employee: Employee) -> None:
    for address, answer in employee.walk("/", "/slack/", "/jira/", "/status/", "/gmail/", "/github/", most=60):
        if "html" in answer.headers.get("content-type", "") and answer.status_code == 200:
            policy = answer.headers["content-security-policy"]
            assert "frame-ancestors 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy, (
                address
            )
            assert answer.headers["x-content-type-options"] == "nosniff", address


def test_the_login_cookie_is_for_this_site_only(served: Server, employee: Employee) -> None:
    cookie = employee.http.get(f"/login/{employee.cookie}").headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=lax" in cookie
    employee.http.cookies.clear()
