"""Addresses, headers, parameters and documents that are large: read in time that grows as they do, or refused."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from starlette.datastructures import ImmutableMultiDict

from tests.conftest import Server
from tests.security.reach import Employee
from tests.security.rough import Rough
from world.core.settings import Settings
from world.server.request_limits import MAX_ADDRESS, MAX_HEADERS, MAX_LINES
from world.web.session import COOKIE

PLACES = ("/jira/rest/api/3/search/jql", "/github/api/user", "/slack/api/auth.test", "/gmail/v1/users/me/labels")
PAGES = ("/jira/issues", "/github/issues", "/slack/", "/gmail/")


@pytest.fixture(scope="module")
def rough(served: Server) -> Iterator[Rough]:
    served.do(lambda: served.up.host.create("sizes", Settings(limits="off")))
    with Employee(served, "sizes", "p_0002") as employee:
        yield Rough(employee)


def get(rough: Rough, path: str, headers: Any = ()) -> httpx.Response:
    bearer = rough.employee.bearer[path.split("/")[1]]
    return rough.http.get(path, headers=[("Authorization", f"Bearer {bearer}"), *headers])


@pytest.mark.parametrize("path", [*PLACES, *PAGES])
def test_no_value_is_looked_for_once_per_name(rough: Rough, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    monkeypatch.setattr(ImmutableMultiDict, "getlist", lambda self, name: looked.append(name) or [])
    query = "&".join(f"p{number}" for number in range(5_000))
    cookie = {"Cookie": f"{COOKIE}={rough.employee.cookie}"}
    answer = rough.http.get(f"{path}?{query}", headers=cookie) if path in PAGES else get(rough, f"{path}?{query}")
    assert answer.status_code < 500
    assert len(looked) < 20


@pytest.mark.parametrize("path", PLACES)
def test_an_address_or_headers_too_large_are_refused(rough: Rough, path: str) -> None:
    assert get(rough, f"{path}?x={'y' * MAX_ADDRESS}").status_code == 414
    assert get(rough, path, [("X-Large", "y" * MAX_HEADERS)]).status_code == 431
    assert get(rough, path, [(f"X-{number}", "y") for number in range(MAX_LINES)]).status_code == 431
