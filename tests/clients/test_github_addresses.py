"""Every address that an answer of the code host names leads to the code host, by the way its caller came, and to
something.
"""

import re
import ssl
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx

from tests.clients.day import new_world, token
from tests.conftest import Server

OPTIONAL = re.compile(r"\{[/?&][^}]*\}")  # of a template
HOSTS = {
    "github.com",
    "api.github.com",
    "uploads.github.com",
    "raw.githubusercontent.com",
    "codeload.github.com",
    "gist.github.com",
}
DOCS = "https://docs.github.com/"
PUBLIC = (
    "https://github.com/",
    "https://gist.github.com/",
    "https://github.githubassets.com/",
)  # what people follow, pictures
FOREIGN = {"https://ci.tiny.example/", "https://hooks.tiny.example/"}  # what callers gave
# fields whose addresses take changes only, or answer 404 where there is nothing: no subscription, no protection
NOTHING = {
    "blobs_url",
    "git_tags_url",
    "git_commits_url",
    "trees_url",
    "merges_url",
    "test_url",
    "ping_url",
    "subscription_url",
    "protection_url",
}
# fields that lead to lists this code host does not have
MISSING = {
    "authorizations_url",
    "downloads_url",
    "feeds_url",
    "hooks_url",
    "keys_url",
    "starred_gists_url",
    "forks_url",
    "commits_url",
}
HEAD = "/repos/tiny/app"
SEEDS = (
    "/",
    "/user",
    "/users/bo",
    "/orgs/tiny",
    "/orgs/tiny/repos",
    "/orgs/tiny/teams",
    "/user/repos",
    "/issues?filter=all",
    "/gists",
    HEAD,
    f"{HEAD}/issues?state=all",
    f"{HEAD}/pulls?state=all",
    f"{HEAD}/branches",
    f"{HEAD}/tags",
    f"{HEAD}/commits",
    f"{HEAD}/git/refs",
    f"{HEAD}/contents/",
    f"{HEAD}/releases",
    f"{HEAD}/compare/main...feature",
    f"{HEAD}/actions/workflows",
    f"{HEAD}/actions/runs",
    f"{HEAD}/hooks",
    "/notifications?all=true",
    "/rate_limit",
    "/search/issues?q=counting",
    "/search/code?q=count+repo:tiny/app",
    "/search/repositories?q=app",
    "/search/users?q=bo",
)


def asked(client: httpx.Client, root: str) -> None:
    """Something of everything is there."""
    pull = (
        client.post(f"{root}{HEAD}/pulls", json={"title": "Tuples", "head": "feature", "base": "main"})
        .raise_for_status()
        .json()
    )
    at = f"{root}{HEAD}/pulls/{pull['number']}"
    comments = [{"path": "src/count.py", "line": 2, "body": "Why?"}]
    client.post(f"{at}/reviews", json={"event": "COMMENT", "body": "Hm", "comments": comments}).raise_for_status()
    client.post(f"{root}{HEAD}/issues/1/comments", json={"body": "@bo?"}).raise_for_status()
    client.post(f"{root}{HEAD}/releases", json={"tag_name": "v0.1", "name": "First"}).raise_for_status()
    client.post(
        f"{root}{HEAD}/statuses/{pull['head']['sha']}",
        json={"state": "success", "target_url": "https://ci.tiny.example/"},
    ).raise_for_status()
    client.post(f"{root}{HEAD}/check-runs", json={"name": "wind", "head_sha": pull["head"]["sha"]})
    client.post(f"{root}/gists", json={"files": {"a.txt": {"content": "a"}}}).raise_for_status()
    client.post(f"{root}{HEAD}/hooks", json={"config": {"url": "https://hooks.tiny.example/"}}).raise_for_status()


def addresses(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every address in an answer, with the name of its field."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from addresses(one, key)
    elif isinstance(value, list):
        for one in value:
            yield from addresses(one, name)
    elif isinstance(value, str) and re.match(r"\w+://", value):
        yield name, value


def crawl(client: httpx.Client, root: str) -> tuple[set[str], dict[str, str]]:
    """All addresses that are named within two steps, and the API's that do not answer well, with the fields that name
    them.
    """
    named: dict[str, str] = {}
    failed: dict[str, str] = {}
    turn = {root + one: "" for one in SEEDS}
    for step in range(3):
        found: dict[str, str] = {}
        for address, name in turn.items():
            answer = client.get(address)
            if answer.status_code >= 400:
                failed[address.removeprefix(root)] = f"{name} {answer.status_code}"
            elif answer.headers.get("content-type", "").startswith("application/json"):
                found |= {one: "Link" for one in _links(answer)} | {one: name for name, one in addresses(answer.json())}
        named |= found
        turn = _next(root, found) if step < 2 else {}
    return set(named), failed


def _links(answer: httpx.Response) -> list[str]:
    return [one["url"] for one in answer.links.values()]


def _next(root: str, found: dict[str, str]) -> dict[str, str]:
    """One address of each kind: fields of the same name whose paths differ in numbers and shas only."""
    whole = {OPTIONAL.sub("", one): name for one, name in found.items() if one.startswith(root)}
    kinds = {
        (name, re.sub(r"\d+|[0-9a-f]{32,}", "-", one.partition("?")[0])): one
        for one, name in whole.items()
        if "{" not in one
    }
    return {one: name for (name, _), one in kinds.items()}


def judge(named: set[str], failed: dict[str, str], hosts: set[str], folder: str = "/") -> None:
    """Nothing leads out, and what leads nowhere is known."""
    assert len(named) > 300
    inside = {one for one in named if urlsplit(one).netloc in hosts and urlsplit(one).path.startswith(folder)}
    assert {one for one in named - inside if not one.startswith((DOCS, *PUBLIC))} == FOREIGN
    empty = {
        f"/repos/tiny/secret/{path}": f"{name} 409"
        for path, name in (("commits", "commits_url"), ("git/refs", "git_refs_url"))
    }
    assert empty.items() <= failed.items()
    assert {told for path, told in failed.items() if path not in empty} == {f"{name} 404" for name in NOTHING | MISSING}


def test_addresses_at_an_address_of_ones_own(hub: Server) -> None:
    new_world(hub)
    root = f"{hub.url}/github/api/v3"
    with httpx.Client(headers={"Authorization": f"token {token(hub, 'github', 'ada')}"}, timeout=30) as client:
        asked(client, root)
        judge(*crawl(client, root), {urlsplit(hub.url).netloc}, "/github/")


def test_addresses_behind_the_proxy(proxied_hub: Server) -> None:
    new_world(proxied_hub)
    trusted = ssl.create_default_context(cafile=str(proxied_hub.up.authority))
    headers = {"Authorization": f"token {token(proxied_hub, 'github', 'ada')}"}
    with httpx.Client(proxy=proxied_hub.proxy, verify=trusted, headers=headers, timeout=30) as client:
        asked(client, "https://api.github.com")
        judge(*crawl(client, "https://api.github.com"), HOSTS)
