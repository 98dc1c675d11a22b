"""Every address of work on the code host over plain HTTP: whole, in part, the same again; and what somebody may not
see.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

import apps.github
from tests.browser.github.code_site import REPO, hub_host
from tests.browser.jira.test_jira_pages import cookie, first_difference
from tests.browser.outline import is_whole
from tests.company import START
from world.core.settings import Settings
from world.run.host import Host
from world.script.faults import Fault
from world.script.scenario import Script, compile_script
from world.server.agent_plane import agent_plane
from world.web.session import COOKIE

REGIONS = ("bell", "listed", "found", "feed", "threads", "timeline", "side")
PULL = "/tiny/app/pull/3"
ADDRESSES = (
    "/",
    "/?repository=app",
    "/issues",
    "/pulls",
    "/pulls?q=is%3Aclosed+is%3Apr",
    "/notifications",
    "/notifications?query=is%3Aunread&repo=tiny%2Fapp",
    "/search",
    "/search?q=count&type=code",
    "/search?q=count&type=commits",
    "/search?q=count&type=issues",
    "/search?q=count&type=pullrequests",
    "/search?q=app&type=repositories",
    "/search?q=bo&type=users",
    "/search?q=created%3Anever&type=issues",
    "/ada",
    "/ada?tab=repositories",
    "/ada?tab=stars",
    "/tiny",
    "/orgs/tiny/people",
    "/orgs/tiny/teams",
    "/orgs/tiny/teams/core",
    "/complete?q=@b&context=tiny%2Fapp",
    "/tiny/app/issues",
    "/tiny/app/issues?q=is%3Aissue+state%3Aclosed",
    "/tiny/app/issues/new",
    "/tiny/app/issues/1",
    "/tiny/app/issues/1?edit=title",
    "/tiny/app/issues/1?menu=labels",
    "/tiny/app/issues/1?menu=assignees",
    "/tiny/app/issues/1?menu=milestone",
    "/tiny/app/labels",
    "/tiny/app/labels?dialog=new",
    "/tiny/app/labels?edit=bug",
    "/tiny/app/milestones",
    "/tiny/app/milestones?state=closed",
    "/tiny/app/milestones/new",
    "/tiny/app/milestones/1/edit",
    "/tiny/app/milestone/1",
    "/tiny/app/pulls",
    "/tiny/app/compare",
    "/tiny/app/compare/main...feature",
    "/tiny/app/compare/main...feature?expand=1",
    "/tiny/app/compare/main...gone",
    PULL,
    f"{PULL}?merge=squash",
    f"{PULL}?menu=reviewers",
    f"{PULL}/commits",
    f"{PULL}/checks",
    f"{PULL}/files",
    f"{PULL}/files?diff=split",
    f"{PULL}/files?comment=src%2Fcount.py%3AR2",
    f"{PULL}/files?comment=src%2Fcount.py%3Afile",
    f"{PULL}/conflicts",
)


def fill(host: Host) -> None:
    """A pull request in the middle of a review, a mention, a status."""

    def act(who: str, operation: str, **arguments: Any) -> Any:
        return host.call(host.principal("w", who), "rest", operation, {**REPO, **arguments})

    pull = act("bo", "pulls/create", title="Count in tuples", body="Closes #1, @ada", head="feature", base="main")
    where = {"pull_number": 3, "path": "src/count.py", "commit_id": pull["head"]["sha"]}
    said = act(
        "ada", "pulls/create-review-comment", body="```suggestion\n    return list(range(n))\n```", line=2, **where
    )
    act("bo", "pulls/create-reply-for-review-comment", pull_number=3, comment_id=said["id"], body="Hm")
    act("ada", "web/pulls/draft-comment", body="Pending", line=1, pull_number=3, path="src/count.py")
    act("cyrus", "pulls/create-review", pull_number=3, event="REQUEST_CHANGES", body="No")
    act("ada", "repos/create-commit-status", sha=pull["head"]["sha"], state="failure", context="test")
    act("bo", "issues/create-comment", issue_number=1, body="- [ ] see #3\n- [x] done")
    host.call(host.principal("w", "ada"), "rest", "world.wait", {"seconds": 10})


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Ada's browser over a world that nothing changes: every look is free."""
    host = hub_host(tmp_path_factory.mktemp("hub"))
    fill(host)
    with TestClient(
        agent_plane(host, [apps.github]), base_url="http://testserver", headers={"Firm-Live": "1"}
    ) as client:
        client.cookies.set(COOKIE, cookie(host, "ada"))
        yield client


@pytest.mark.full
@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_is_a_whole_page_its_blocks_are_its_parts_and_it_is_the_same_again(
    still: TestClient, address: str
) -> None:
    answer = still.get(f"/github{address}")
    is_whole(answer)
    for block in ("page", "main", *(one for one in REGIONS if f'id="{one}"' in answer.text)):
        part = still.get(f"/github{address}", headers={"HX-Request": "true", "HX-Target": block})
        if "hx-retarget" not in part.headers:
            assert part.status_code == 200 and "<html" not in part.text, block
            assert first_difference(part.text.strip(), answer.text) == "", block
    assert still.get(f"/github{address}").text == answer.text


def test_the_side_panel_and_the_merge_box_are_addressed_by_their_ids(still: TestClient) -> None:
    for block in ("side", "merge-box", "timeline"):
        part = still.get(f"/github{PULL}", headers={"HX-Request": "true", "HX-Target": block})
        assert "hx-retarget" not in part.headers and f'id="{block}"' in part.text[:200], block


@pytest.fixture
def host(still: TestClient, tmp_path: pytest.TempPathFactory) -> Host:
    """A host of its own."""
    return hub_host(tmp_path)  # type: ignore[arg-type]


def test_who_is_outside_finds_nothing_of_a_private_repository(host: Host) -> None:
    fill(host)
    with TestClient(agent_plane(host, [apps.github]), base_url="http://testserver") as client:
        client.cookies.set(COOKIE, cookie(host, "eve"))
        for address in (a for a in ADDRESSES if a.startswith("/tiny/app")):
            assert client.get(f"/github{address}").status_code == 404, address
        lists = (
            "/",
            "/issues?q=count",
            "/pulls?q=count",
            "/search?q=count&type=code",
            "/search?q=count&type=issues",
            "/bo",
            "/tiny",
        )
        everything = "".join(client.get(f"/github{address}").text for address in lists)
        assert "Count in tuples" not in everything and "tiny/app" not in everything


@pytest.mark.parametrize(("kind", "status"), [("error", 500), ("timeout", 504), ("ratelimit", 429), ("partial", 503)])
def test_every_kind_of_outage_is_a_page_of_its_status(host: Host, kind: str, status: int) -> None:
    script = Script("outage", START)
    script.fault(Fault("all", "github", kind, retry_after_s=20), start=START)  # type: ignore[arg-type]
    host.drop("w")
    host.create("w", Settings(seed=1, limits="off"), compile_script(script, horizon="+1d"))
    with TestClient(agent_plane(host, [apps.github]), base_url="http://testserver") as client:
        client.cookies.set(COOKIE, cookie(host, "ada"))
        answer = client.get("/github/tiny/app/issues/1")
        assert answer.status_code == status
        assert "Counting is slow" not in answer.text and "GitHub" in answer.text


def test_a_person_is_drawn_the_same_everywhere(still: TestClient) -> None:
    faces: dict[str, set[str]] = {}
    for address in ("/ada", "/tiny/app/issues/1", "/tiny/app/branches", "/tiny/app/commits/main"):
        text = still.get(f"/github{address}").text
        drawn = re.findall(r'<img class="avatar" src="([^"]+)" alt="([^"]*)"', text)
        for at, (source, name) in enumerate(drawn):
            faces.setdefault(name if at else "ada", set()).add(source)  # the first is the reader's own
    assert len(faces["ada"]) == len(faces["bo"]) == 1 and faces["ada"] != faces["bo"], faces
