"""Pull requests: opened, listed, read, changed; and what pushes, deleted branches and drafts do to them."""

import pytest

from apps.github.domain.context import GithubContext
from apps.github.domain.issue_rows import find_issue, pull_of
from apps.github.domain.pull_git import Changes, carry
from apps.github.models import Repository
from apps.github.operations.pulls.review_threads import list_viewed_files as seen
from tests.apps.github.conftest import ADA, APP, EVE, SITE, Say
from tests.apps.github.pushes import delete, later, push, rows, why
from tests.conformance.github_client import HubClient
from world.run.host import Host

PULLS = "/repos/tiny/app/pulls"
FEATURE = {"title": "Tuples", "head": "feature", "base": "main"}


@pytest.fixture
def client(host: Host) -> HubClient:
    return HubClient(host)


def test_a_pull_request_is_opened_and_read_with_its_size_and_its_mergeability_a_moment_later(
    client: HubClient, host: Host
) -> None:
    made = client.post(PULLS, who="bo", json={**FEATURE, "body": "For #1"})
    assert made.status_code == 201
    first = made.json()
    assert (first["mergeable"], first["mergeable_state"], first["head"]["label"]) == (None, "unknown", "tiny:feature")
    assert [first[name] for name in ("commits", "additions", "deletions", "changed_files")] == [1, 1, 1, 1]
    later(host)
    found = client.get(f"{PULLS}/3").json()
    assert (found["mergeable"], found["rebaseable"], found["mergeable_state"]) == (True, True, "clean")
    assert found["merge_commit_sha"] and found["merge_commit_sha"] != found["head"]["sha"]
    assert client.get("/repos/tiny/app/issues/3").json()["pull_request"]["merged_at"] is None
    assert [one["event"] for one in client.get("/repos/tiny/app/issues/1/timeline").json()] == ["cross-referenced"]
    assert {name for (name,) in rows(host, "SELECT name FROM github_ref WHERE name LIKE 'refs/pull%'")} == {
        "refs/pull/3/head",
        "refs/pull/3/merge",
    }


def test_files_commits_diff_and_patch_are_those_of_three_dots(client: HubClient, host: Host) -> None:
    push(host, "main", {"README.md": "# app\n\nChanged on main.\n"}, who="ada")
    push(host, "feature", {"docs/new.md": "New.\n"}, "Second")
    client.post(PULLS, json=FEATURE)
    files = client.get(f"{PULLS}/3/files").json()
    assert [(one["filename"], one["status"]) for one in files] == [
        ("docs/new.md", "added"),
        ("src/count.py", "modified"),
    ]
    assert [one["commit"]["message"] for one in client.get(f"{PULLS}/3/commits").json()] == [
        "Count in tuples",
        "Second",
    ]
    diff = client.get(f"{PULLS}/3", headers={"Accept": "application/vnd.github.v3.diff"}).text
    assert diff.count("diff --git") == 2 and "README" not in diff
    patch = client.get(f"{PULLS}/3", headers={"Accept": "application/vnd.github.patch"}).text
    assert patch.startswith("From ") and "[PATCH 2/2] Second" in patch
    page = client.get(f"{PULLS}/3/files?per_page=1&page=2")
    assert [one["filename"] for one in page.json()] == ["src/count.py"] and 'rel="prev"' in page.headers["Link"]


def test_lists_are_by_state_head_and_base(client: HubClient, host: Host) -> None:
    push(host, "other", {"a.txt": "a\n"}, start="main")
    client.post(PULLS, json=FEATURE)
    client.post(PULLS, json={"title": "Other", "head": "other", "base": "feature"})
    client.patch(f"{PULLS}/3", json={"state": "closed"})
    titles = {
        query: [one["title"] for one in client.get(f"{PULLS}?{query}").json()]
        for query in (
            "state=all",
            "state=open",
            "state=all&head=tiny:feature",
            "state=all&base=feature",
            "state=all&direction=asc",
            "state=all&head=eve:feature",
            "state=all&sort=popularity&direction=desc",
        )
    }
    assert titles == {
        "state=all": ["Other", "Tuples"],
        "state=open": ["Other"],
        "state=all&head=tiny:feature": ["Tuples"],
        "state=all&base=feature": ["Other"],
        "state=all&direction=asc": ["Tuples", "Other"],
        "state=all&head=eve:feature": [],
        "state=all&sort=popularity&direction=desc": ["Other", "Tuples"],
    }


def test_what_cannot_be_opened_is_refused_in_the_vendors_words(client: HubClient, say: Say) -> None:
    say("pulls/create", **FEATURE)
    assert why(say, "pulls/create", **FEATURE) == "A pull request already exists for tiny:feature."
    assert why(say, "pulls/create", title="x", head="main", base="main") == "No commits between main and main"
    assert why(say, "pulls/create", title="x", head="nowhere", base="main") == "head"
    assert why(say, "pulls/create", title="x", head="feature", base="nowhere") == "base"
    assert why(say, "pulls/create", title="x", head="eve:feature", base="main") == "head"
    assert why(say, "pulls/create", title=" ", head="feature", base="main") == "title"
    assert why(say, "pulls/create", "eve", **FEATURE) == "not_found"
    answer = client.post(PULLS, json={"head": "feature"})
    assert (answer.status_code, answer.json()["message"]) == (422, 'Invalid request.\n\n"base" wasn\'t supplied.')
    assert say("issues/list-for-repo", state="all").total == 3


def test_an_issue_becomes_a_pull_request_and_keeps_its_number(client: HubClient) -> None:
    made = client.post(PULLS, who="bo", json={"issue": 1, "head": "feature", "base": "main"}).json()
    assert (made["number"], made["title"], made["user"]["login"]) == (1, "Counting is slow", "cyrus")
    assert client.post(PULLS, who="bo", json={"issue": 2, "head": "feature", "base": "main"}).status_code == 422


def test_title_text_base_and_state_change_and_are_told_in_the_timeline(client: HubClient, host: Host, say: Say) -> None:
    push(host, "release", start="main")
    client.post(PULLS, who="bo", json=FEATURE)
    changed = client.patch(f"{PULLS}/3", who="bo", json={"title": "Better", "body": "Text", "base": "release"}).json()
    assert (changed["title"], changed["body"], changed["base"]["ref"]) == ("Better", "Text", "release")
    assert client.patch(f"{PULLS}/3", json={"state": "closed"}).json()["state"] == "closed"
    assert client.patch(f"{PULLS}/3", json={"state": "open"}).json()["closed_at"] is None
    events = [one["event"] for one in client.get("/repos/tiny/app/issues/3/events").json()]
    assert events == ["renamed", "base_ref_changed", "closed", "reopened"]
    assert client.patch(f"{PULLS}/3", who="dee", json={"title": "No"}).status_code == 403
    assert why(say, "pulls/update", pull_number=3, base="gone") == "Proposed base branch 'gone' was not found"


def test_reopening_needs_the_branch_as_it_was_or_grown(host: Host, say: Say) -> None:
    say("pulls/create", **FEATURE)
    say("pulls/update", pull_number=3, state="closed")
    grown = push(host, "feature", {"b.txt": "b\n"})
    assert say("pulls/update", pull_number=3, state="open")["head"]["sha"] == grown
    say("pulls/update", pull_number=3, state="closed")
    push(host, "feature", {"c.txt": "c\n"}, start="main", force=True)
    assert (
        why(say, "pulls/update", pull_number=3, state="open")
        == "state cannot be changed. The feature branch was force-pushed or recreated."
    )
    delete(host, "feature")
    assert (
        why(say, "pulls/update", pull_number=3, state="open")
        == "state cannot be changed. The feature branch has been deleted."
    )


def test_a_push_moves_the_head_and_a_forced_one_is_told(client: HubClient, host: Host) -> None:
    client.post(PULLS, who="bo", json=FEATURE)
    later(host)
    new = push(host, "feature", {"b.txt": "b\n"})
    assert (client.get(f"{PULLS}/3").json()["head"]["sha"], client.get(f"{PULLS}/3").json()["mergeable"]) == (new, None)
    forced = push(host, "feature", {"src/count.py": "nothing\n"}, start="main", force=True)
    later(host)
    found = client.get(f"{PULLS}/3").json()
    assert (found["head"]["sha"], found["commits"], found["mergeable"]) == (forced, 1, True)
    assert [one["event"] for one in client.get("/repos/tiny/app/issues/3/events").json()] == ["head_ref_force_pushed"]
    assert rows(host, "SELECT target FROM github_ref WHERE name = 'refs/pull/3/head'") == [(forced,)]


def test_a_conflict_with_the_base_makes_it_dirty_and_a_fix_clean_again(client: HubClient, host: Host) -> None:
    client.post(PULLS, json=FEATURE)
    push(host, "main", {"src/count.py": "def count(n):\n    return sorted(range(n))\n"}, who="ada")
    later(host)
    found = client.get(f"{PULLS}/3").json()
    assert (found["mergeable"], found["rebaseable"], found["mergeable_state"], found["merge_commit_sha"]) == (
        False,
        False,
        "dirty",
        None,
    )
    push(host, "main", {"src/count.py": "def count(n):\n    return [*range(n)]\n"}, who="ada")
    later(host)
    assert client.get(f"{PULLS}/3").json()["mergeable_state"] == "clean"


def test_deleting_the_head_closes_and_deleting_the_base_closes_or_leads_on(client: HubClient, host: Host) -> None:
    for name, start in (("one", "main"), ("two", "one"), ("three", "two")):
        push(host, name, {f"{name}.txt": "x\n"}, start=start)
    for head, base in (("one", "main"), ("two", "one"), ("three", "two")):
        client.post(PULLS, json={"title": head, "head": head, "base": base})
    client.put(f"{PULLS}/3/merge", json={})
    delete(host, "one")
    assert client.get(f"{PULLS}/4").json()["base"]["ref"] == "main"
    delete(host, "two")
    assert [client.get(f"{PULLS}/{number}").json()["state"] for number in (4, 5)] == ["closed", "closed"]
    assert [one["event"] for one in client.get("/repos/tiny/app/issues/4/events").json()] == [
        "automatic_base_change_succeeded",
        "head_ref_deleted",
        "closed",
    ]


def test_a_head_that_arrives_on_the_base_by_a_push_is_merged(client: HubClient, host: Host) -> None:
    made = client.post(PULLS, who="bo", json=FEATURE).json()
    merged = push(host, "main", {"x.txt": "x\n"}, "Merge by hand", who="ada", merging=made["head"]["sha"])
    push(host, "main", {"y.txt": "y\n"}, who="ada")
    found = client.get(f"{PULLS}/3").json()
    assert (found["merged"], found["merge_commit_sha"], found["merged_by"]["login"]) == (True, merged, "ada")
    assert client.get(f"{PULLS}/3/merge").status_code == 204 and found["changed_files"] == 1


def test_a_fork_asks_the_origin_and_its_pushes_follow(client: HubClient, host: Host) -> None:
    fork(host)
    push(host, "topic", {"fork.txt": "from eve\n"}, who="eve", start="main", repo=900)
    made = client.post(
        "/repos/tiny/site/pulls", who="eve", json={"title": "From a fork", "head": "eve:topic", "base": "main"}
    )
    assert made.status_code == 201
    assert (made.json()["head"]["label"], made.json()["maintainer_can_modify"]) == ("eve:topic", True)
    new = push(host, "topic", {"more.txt": "more\n"}, who="eve", repo=900)
    number = made.json()["number"]
    assert client.get(f"/repos/tiny/site/pulls/{number}").json()["head"]["sha"] == new
    assert client.put(f"/repos/tiny/site/pulls/{number}/merge", json={"merge_method": "squash"}).status_code == 200
    files = client.get(f"/repos/tiny/site/pulls/{number}/files").json()
    assert [one["filename"] for one in files] == ["fork.txt", "more.txt"]


def fork(host: Host) -> None:
    """Eve's fork of tiny/site, repository 900."""

    with host.actors["w"].events.step("fork") as call:
        context = GithubContext(call)
        origin = context.repo_by_id(SITE)
        assert origin is not None
        made = Repository(
            id=900,
            owner_id=EVE,
            name="site",
            name_key="site",
            visibility="public",
            fork_of=SITE,
            created_at=call.now,
            updated_at=call.now,
            pushed_at=call.now,
        )
        context.add(made)
        call.flush()
        head = context.git(origin).branch("main")
        assert head is not None
        carry(context.git(origin), context.git(made), head)
        context.git(made).set_ref("refs/heads/main", head, None)


def test_drafts_are_not_merged_until_they_are_ready(client: HubClient, host: Host, say: Say) -> None:
    assert client.post(PULLS, who="bo", json={**FEATURE, "draft": True}).json()["draft"] is True
    later(host)
    assert client.get(f"{PULLS}/3").json()["mergeable_state"] == "draft"
    answer = client.put(f"{PULLS}/3/merge", json={})
    assert (answer.status_code, answer.json()["message"]) == (405, "Pull Request is still a draft")
    assert say("web/pulls/mark-ready", "bo", pull_number=3)["draft"] is False
    assert say("web/pulls/convert-to-draft", "ada", pull_number=3)["draft"] is True
    assert [one["event"] for one in client.get("/repos/tiny/app/issues/3/events").json()] == [
        "ready_for_review",
        "convert_to_draft",
    ]


def test_a_file_ticked_off_opens_again_when_it_changes(host: Host, say: Say) -> None:
    say("pulls/create", **FEATURE)
    say("web/pulls/mark-file-viewed", "ada", pull_number=3, path="src/count.py")
    assert viewed(host) == {"src/count.py"}
    push(host, "feature", {"src/count.py": "def count(n):\n    return {*range(n)}\n"})
    assert viewed(host) == set()
    assert why(say, "web/pulls/mark-file-viewed", pull_number=3, path="no.py") == "Path is not part of the pull request"


def viewed(host: Host) -> set[str]:
    """What Ada has looked at of pull request 3."""

    with host.actors["w"].events.step("look") as call:
        context = GithubContext(call).act_as(ADA)
        repo = context.repo_by_id(APP)
        assert repo is not None
        issue = find_issue(context, repo, 3)
        return seen(context, issue, Changes(context, repo, issue, pull_of(context, issue)))


def test_closing_by_the_address_of_issues_is_closing_a_pull_request(client: HubClient, host: Host, say: Say) -> None:
    say("pulls/create", **FEATURE)
    assert client.patch("/repos/tiny/app/issues/3", json={"state": "closed"}).json()["state"] == "closed"
    delete(host, "feature")
    answer = client.patch("/repos/tiny/app/issues/3", json={"state": "open"})
    assert (answer.status_code, answer.json()["errors"][0]["message"]) == (
        422,
        "state cannot be changed. The feature branch has been deleted.",
    )


def test_a_head_reset_to_its_base_closes_the_pull_request(client: HubClient, host: Host) -> None:
    client.post(PULLS, who="bo", json=FEATURE)
    push(host, "feature", start="main", force=True)
    found = client.get(f"{PULLS}/3").json()
    assert (found["state"], found["merged"], found["commits"]) == ("closed", False, 0)
    assert [one["event"] for one in client.get("/repos/tiny/app/issues/3/events").json()] == [
        "head_ref_force_pushed",
        "closed",
    ]
