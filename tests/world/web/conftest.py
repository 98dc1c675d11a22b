"""A world with the test app behind its page door, and a signed-in browser without a browser."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from tests.company import host as make_host
from tests.world.web import jot
from tests.world.web.jot import pages as jot_pages
from world.core.principal import Principal
from world.run.host import Host
from world.web import build_missing_route, page_routes, site_routes
from world.web.session import COOKIE
from world.web.site import launcher_route

ADDRESS = "http://testserver"


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """A host with one world, `w`, and the test app."""
    return make_host(tmp_path, [jot.app])


def key_of(host: Host, who: str = "ada") -> str:
    """A login key of a person."""
    principal = host.principal("w", who)
    return host.tokens.issue(Principal(principal.world, principal.person, "session", generation=principal.generation))


def site(host: Host) -> Starlette:
    """The site as the server mounts it."""
    app = Starlette(routes=[*page_routes(host, jot_pages), build_missing_route(host, jot_pages)])
    return Starlette(routes=[*site_routes(host), launcher_route(host), Mount("/jot", app=app)])


@pytest.fixture
def stranger(host: Host) -> Iterator[TestClient]:
    """A browser that is not signed in."""
    with TestClient(site(host), base_url=ADDRESS, follow_redirects=False) as client:
        yield client


@pytest.fixture
def browser(host: Host, stranger: TestClient) -> TestClient:
    """Ada's browser."""
    stranger.cookies.set(COOKIE, key_of(host))
    return stranger


def token(client: TestClient, path: str = "/jot/") -> str:
    """The form token of a page."""
    found = re.search(r'name="_token" value="([^"]+)"', client.get(path, headers={"Firm-Live": "1"}).text)
    assert found
    return found[1]


def rows(host: Host) -> list[str]:
    """What the notes say."""
    return [row[0] for row in host.actor("w").bound.raw.execute("SELECT text FROM jot_note ORDER BY text")]


def calls(host: Host) -> list[tuple[str, str]]:
    """Operation and status of every call so far."""
    return host.actor("w").bound.raw.execute("SELECT operation, status FROM _call ORDER BY seq").fetchall()
