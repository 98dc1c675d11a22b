"""Links at an Enterprise host are that host's, at the vendor's own API they are github.com's; what the world keeps is
the same.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from apps.github.app import enterprise_site
from tests.apps.github.ci import Ci
from tests.apps.github.conftest import Say
from tests.conformance.github_client import HubClient
from world.core.diff import net_diff
from world.run.host import Host

APP = "/repos/tiny/app"
ENTERPRISE = "http://github.firm.test"
BASES = {
    f"{ENTERPRISE}/api/v3": ENTERPRISE,
    "http://git.tiny.example:8443/api/v3": "http://git.tiny.example:8443",
    "http://api.github.com": "https://github.com",
    "http://127.0.0.1/github/api/v3": "https://github.com",
}
FOLLOWED = re.compile(r"html_url|html|svn_url|permalink_url|blob_url|diff_url|patch_url|badge_url")


def links(value: Any, key: str = "") -> Iterator[str]:
    """Every address that people follow."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from links(one, name)
    elif isinstance(value, list):
        for one in value:
            yield from links(one, key)
    elif isinstance(value, str) and FOLLOWED.fullmatch(key) and "://" in value:
        yield value


@pytest.mark.parametrize(("base", "site"), BASES.items())
def test_people_are_led_to_the_host_whose_api_was_asked(host: Host, base: str, site: str) -> None:
    client = HubClient(host, base)
    pull = {"title": "Tuples", "head": "feature", "base": "main"}
    assert client.post(f"{APP}/pulls", json=pull).json()["html_url"] == f"{site}/tiny/app/pull/3"
    for path in (APP, f"{APP}/issues?state=all", f"{APP}/pulls/3", f"{APP}/commits", f"{APP}/contents/", "/user"):
        found = list(links(client.get(path).json()))
        assert found and not [one for one in found if not one.startswith(f"{site}/")]
    asked = '{repository(owner: "tiny", name: "app") {url issue(number: 1) {url bodyHTML}} viewer {url}}'
    shown = client.query(asked).json()["data"]
    assert shown["repository"]["url"] == f"{site}/tiny/app" and shown["viewer"]["url"] == f"{site}/ada"
    assert shown["repository"]["issue"]["url"] == f"{site}/tiny/app/issues/1"
    assert f'href="{site}/bo"' in shown["repository"]["issue"]["bodyHTML"]
    found = client.query("query($url: URI!) {resource(url: $url) {__typename}}", url=f"{site}/tiny/app/issues/1")
    assert found.json()["data"]["resource"] == {"__typename": "Issue"}


def test_a_gist_stands_in_a_folder_of_an_enterprise_host(host: Host) -> None:
    gist = {"files": {"a.txt": {"content": "a"}}}
    there = HubClient(host, f"{ENTERPRISE}/api/v3").post("/gists", json=gist).json()
    assert there["html_url"] == f"{ENTERPRISE}/gist/{there['id']}"
    assert HubClient(host, "http://api.github.com").get(f"/gists/{there['id']}").json()["html_url"] == (
        f"https://gist.github.com/{there['id']}"
    )


def test_an_enterprise_host_is_a_whole_host_that_is_not_the_vendors() -> None:
    assert enterprise_site("https://github.firm.test") == "https://github.firm.test"
    for none in ("", "/github", "http://127.0.0.1:8400/github", "https://github.com", "https://api.github.com"):
        assert enterprise_site(none) == ""


def _write(host: Host, say: Say, base: str) -> str:
    client = HubClient(host, base)
    config = {"url": "https://hooks.tiny.example/", "content_type": "json"}
    hook = client.post(f"{APP}/hooks", json={"config": config, "events": ["*"]}).json()
    client.post(f"{APP}/pulls", json={"title": "Tuples", "head": "feature", "base": "main"}).raise_for_status()
    client.post(f"{APP}/issues/1/comments", json={"body": "@bo, see #2"}).raise_for_status()
    change = {"message": "Add a", "content": "YQ==", "branch": "main"}
    client.put(f"{APP}/contents/a.txt", json=change).raise_for_status()
    client.post(f"{APP}/hooks/{hook['id']}/tests").raise_for_status()
    client.post(f"{APP}/hooks/{hook['id']}/pings").raise_for_status()
    Ci(host, say).wait(5)
    return json.dumps(net_diff(host.actors["w"].bound), default=str, sort_keys=True)


def test_what_the_world_keeps_is_equal_whichever_way_the_calls_came(host: Host, say: Say) -> None:
    kept: set[str] = set()
    for base in BASES:
        kept.add(_write(host, say, base))
        host.drop("w")
        host.create("w")
    assert len(kept) == 1 and "https://github.com/tiny/app" in kept.pop()
