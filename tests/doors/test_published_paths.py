"""Whatever address Google publishes for one of its APIs, a program gets JSON in Google's words there."""

import importlib.util
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from world.core import discovery
from world.core.settings import Settings
from world.run.host import Host
from world.server.agent_plane import agent_plane
from world.server.control_state import Grant, Plane

OURS = {"gmail.v1", "drive.v3", "sheets.v4"}  # every method of these is asked for, of the others one
PLACEHOLDER = re.compile(r"\{\+?(\w+)\*?\}")
ROOT = re.compile(r'"rootUrl": "https://([^/"]+)/"')
BELOW = re.compile(r'"servicePath": "([^"]*)"')
METHOD = re.compile(r'"flatPath": "([^"]+)",\s+"httpMethod": "([A-Z]+)"')


def _documents() -> Iterator[tuple[str, str]]:
    found = importlib.util.find_spec("googleapiclient")
    if found is None or not found.origin:
        pytest.skip("google-api-python-client is not installed")
    for path in sorted(Path(found.origin).parent.glob("discovery_cache/documents/*.json")):
        if path.stem != "index":
            yield path.stem, path.read_text(encoding="utf-8")


def _requests(name: str, document: str) -> Iterator[tuple[str, str, str]]:
    """Verb, host and path of the methods of an API."""
    root, below = ROOT.search(document), BELOW.search(document)
    if root is None or below is None:
        return
    for found in islice(METHOD.finditer(document), None if name in OURS else 1):
        yield found[2], root[1], f"/{below[1]}{PLACEHOLDER.sub('x', found[1])}"


@pytest.mark.full
def test_no_published_path_answers_with_a_page_a_redirect_or_plain_text(firm: Host) -> None:
    firm.create("w", Settings(limits="off"))
    token = Plane(firm, "s").grant("w", Grant(person="p_0004", app="google"))["token"]
    bearer = {"Authorization": f"Bearer {token}", "Accept": "*/*"}
    wrong, asked = set[tuple[object, ...]](), 0
    with TestClient(agent_plane(firm, discovery.app_packages()), follow_redirects=False) as web:
        for name, document in _documents():
            for verb, host, path in _requests(name, document):
                answer = web.request(verb, path, headers={"Host": host, **bearer})
                kind, asked = answer.headers.get("content-type", ""), asked + 1
                if not (kind.startswith("application/json") or answer.status_code == 204):
                    wrong.add((verb, host, path, answer.status_code, kind))
    assert asked > 600 and not wrong, sorted(map(str, wrong))[:20]
