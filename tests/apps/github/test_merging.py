"""Merging: the commits it makes, what closes with it, branches deleted, reverted and brought up to date, and merging by
itself.
"""

from typing import Any

import pytest

import apps.github
from apps.github.domain.context import GithubContext
from apps.github.domain.pull_rows import reconsider_pulls_of_commit
from apps.github.models import Repository
from apps.github.models_actions import Status
from tests.apps.github.conftest import ADA, APP, Say
from tests.apps.github.pushes import later, push, rows, why
from tests.company import saying
from tests.conformance.github_client import HubClient
from world.run.host import Host

PULL = "/repos/tiny/app/pulls/3"
MERGE = f"{PULL}/merge"


@pytest.fixture
def client(host: Host, say: Say) -> HubClient:
    """With pull request 3 by Bo, who made one of its two commits and Dee the other."""
    push(host, "topic", {"a.txt": "a\n"}, "Add a\n\nIt was missing.", start="main")
    push(host, "topic", {"b.txt": "b\n"}, "Add b", author="dee")
    say("pulls/create", "bo", title="Two files", head="topic", base="main", body="Fixes #1, and see #2.")
    return HubClient(host)


def settings(host: Host, **values: Any) -> None:
    """Change the repository's settings."""
    with host.actors["w"].events.step("settings") as call:
        repo = call.session.get(Repository, APP)
        assert repo is not None
        for name, value in values.items():
            setattr(repo, name, value)


def last(host: Host, count: int = 1) -> list[Any]:
    """Message, author, committer and number of parents of the newest commits on main."""
    found = saying(host, apps.github.app, owner="tiny", repo="app")("repos/list-commits", per_page=count)
    return [
        (
            one["commit"]["message"],
            one["commit"]["author"]["name"],
            one["commit"]["committer"]["name"],
            len(one["parents"]),
        )
        for one in found
    ]


def test_a_merge_commit_names_the_pull_request_and_closes_what_it_fixes(client: HubClient, host: Host) -> None:
    answer = client.put(MERGE, json={})
    assert (answer.status_code, answer.json()["merged"], answer.json()["message"]) == (
        200,
        True,
        "Pull Request successfully merged",
    )
    assert last(host) == [("Merge pull request #3 from tiny/topic\n\nTwo files", "Ada Novak", "GitHub", 2)]
    found = client.get(PULL).json()
    assert (found["state"], found["merged"], found["merge_commit_sha"]) == ("closed", True, answer.json()["sha"])
    assert (found["merged_by"]["login"], found["mergeable"], found["mergeable_state"], found["commits"]) == (
        "ada",
        None,
        "unknown",
        2,
    )
    issue = client.get("/repos/tiny/app/issues/1").json()
    assert (issue["state"], issue["state_reason"], issue["closed_by"]["login"]) == ("closed", "completed", "ada")
    assert [one["event"] for one in client.get("/repos/tiny/app/issues/3/events").json()] == ["merged", "closed"]
    assert client.get(MERGE).status_code == 204
    assert client.put(MERGE, json={}).json()["message"] == "Pull Request is not mergeable"


def test_a_squash_lists_what_the_commits_said_and_who_wrote_them(client: HubClient, host: Host) -> None:
    assert client.put(MERGE, json={"merge_method": "squash"}).status_code == 200
    message = (
        "Two files (#3)\n\n* Add a\n\nIt was missing.\n\n* Add b\n\n---------\n\nCo-authored-by: Dee Okafor"
        " <dee@tiny.example>"
    )
    assert last(host) == [(message, "Bo Lindqvist", "GitHub", 1)]


def test_a_squash_of_one_commit_takes_its_message_and_what_is_given_wins(
    client: HubClient, host: Host, say: Say
) -> None:
    push(host, "one", {"c.txt": "c\n"}, "Add c\n\nBecause.", start="main")
    say("pulls/create", "bo", title="Something else", head="one", base="main")
    client.put("/repos/tiny/app/pulls/4/merge", json={"merge_method": "squash"})
    assert last(host)[0][0] == "Add c (#4)\n\nBecause."
    client.put(MERGE, json={"merge_method": "squash", "commit_title": "Mine", "commit_message": ""})
    assert last(host)[0][0] == "Mine"


def test_a_rebase_puts_the_commits_on_top_with_their_authors(client: HubClient, host: Host) -> None:
    push(host, "main", {"c.txt": "c\n"}, "Add c", who="ada")
    assert client.put(MERGE, json={"merge_method": "rebase"}).status_code == 200
    assert last(host, 3) == [
        ("Add b", "Dee Okafor", "Ada Novak", 1),
        ("Add a\n\nIt was missing.", "Bo Lindqvist", "Ada Novak", 1),
        ("Add c", "Ada Novak", "Ada Novak", 1),
    ]
    assert [one["filename"] for one in client.get(f"{PULL}/files").json()] == ["a.txt", "b.txt"]


def test_settings_say_how_messages_look(client: HubClient, host: Host) -> None:
    settings(host, merge_title="PR_TITLE", merge_message="PR_BODY")
    client.put(MERGE, json={})
    assert last(host)[0][0] == "Two files (#3)\n\nFixes #1, and see #2."


def test_merges_are_refused_in_the_vendors_words_and_change_nothing(client: HubClient, host: Host, say: Say) -> None:
    before = rows(host, "SELECT * FROM github_ref WHERE name LIKE 'refs/heads/%' ORDER BY repo_id, name")
    moved = client.put(MERGE, json={"sha": "0" * 40})
    assert (moved.status_code, moved.json()["message"]) == (
        409,
        "Head branch was modified. Review and try the merge again.",
    )
    assert client.put(MERGE, who="dee", json={}).status_code == 403
    assert client.put("/repos/tiny/app/pulls/1/merge", json={}).status_code == 404
    settings(host, allow_merge_commit=False, allow_squash_merge=False, allow_rebase_merge=False)
    said = [
        client.put(MERGE, json={"merge_method": method}).json()["message"] for method in ("merge", "squash", "rebase")
    ]
    assert said == [
        f"{word} are not allowed on this repository." for word in ("Merge commits", "Squash merges", "Rebase merges")
    ]
    assert client.put(MERGE, json={"merge_method": "octopus"}).status_code == 422
    assert rows(host, "SELECT * FROM github_ref WHERE name LIKE 'refs/heads/%' ORDER BY repo_id, name") == before
    assert say("pulls/get", pull_number=3)["state"] == "open"


def test_conflicts_are_not_merged(client: HubClient, host: Host) -> None:
    push(host, "main", {"a.txt": "other\n"}, who="ada")
    for method, said in (("merge", "Pull Request is not mergeable"), ("rebase", "This branch can't be rebased")):
        answer = client.put(MERGE, json={"merge_method": method})
        assert (answer.status_code, answer.json()["message"]) == (405, said)
    assert (
        client.put(f"{PULL}/update-branch", who="bo", json={}).json()["message"]
        == "merge conflict between base and head"
    )


def test_a_branch_is_brought_up_to_date(client: HubClient, host: Host, say: Say) -> None:
    assert why(say, "pulls/update-branch", "bo", pull_number=3) == "There are no new commits on the base branch."
    push(host, "main", {"c.txt": "c\n"}, "Add c", who="ada")
    assert client.put(f"{PULL}/update-branch", json={"expected_head_sha": "0" * 40}).status_code == 422
    assert client.put(f"{PULL}/update-branch", who="bo", json={}).status_code == 202
    newest = client.get(f"{PULL}/commits").json()[-1]
    assert (newest["commit"]["message"], len(newest["parents"])) == ("Merge branch 'main' into topic", 2)
    found = client.get(PULL).json()
    assert (found["head"]["sha"], found["changed_files"]) == (newest["sha"], 2)


def test_head_branches_are_deleted_restored_and_kept_for_others(client: HubClient, host: Host, say: Say) -> None:
    settings(host, delete_branch_on_merge=True)
    head = client.get(PULL).json()["head"]["sha"]
    assert (
        why(say, "web/pulls/delete-head-branch", "bo", pull_number=3)
        == "Cannot delete the branch of an open pull request."
    )
    client.put(MERGE, json={})
    assert client.get("/repos/tiny/app/branches/topic").status_code == 404
    say("web/pulls/restore-head-branch", "bo", pull_number=3)
    assert client.get("/repos/tiny/app/branches/topic").json()["commit"]["sha"] == head
    say("web/pulls/delete-head-branch", "bo", pull_number=3)
    assert why(say, "web/pulls/delete-head-branch", "bo", pull_number=3) == "not_found"
    assert [one["event"] for one in client.get("/repos/tiny/app/issues/3/events").json()] == [
        "merged",
        "closed",
        "head_ref_deleted",
        "head_ref_restored",
        "head_ref_deleted",
    ]


def test_a_merged_pull_request_is_taken_back_by_another(client: HubClient, host: Host, say: Say) -> None:
    assert why(say, "web/pulls/revert", "bo", pull_number=3) == "Only merged pull requests can be reverted."
    client.put(MERGE, json={"merge_method": "rebase"})
    push(host, "main", {"later.txt": "x\n"}, who="ada")
    made = say("web/pulls/revert", "bo", pull_number=3)
    assert (made["title"], made["body"], made["head"]["ref"]) == (
        'Revert "Two files"',
        "Reverts tiny/app#3",
        "revert-3-topic",
    )
    files = client.get(f"/repos/tiny/app/pulls/{made['number']}/files").json()
    assert [(one["filename"], one["status"]) for one in files] == [("a.txt", "removed"), ("b.txt", "removed")]
    client.put(f"/repos/tiny/app/pulls/{made['number']}/merge", json={})
    assert why(say, "web/pulls/revert", "bo", pull_number=3).startswith("Sorry, this pull request couldn't be reverted")


def test_commits_pushed_to_the_default_branch_close_issues_and_others_refer(client: HubClient, host: Host) -> None:
    sha = push(host, "main", {"c.txt": "c\n"}, "Count faster\n\nfixes #1, for #3", who="ada")
    assert client.get("/repos/tiny/app/issues/1").json()["state"] == "closed"
    [closed, referenced] = [client.get(f"/repos/tiny/app/issues/{number}/events").json()[-1] for number in (1, 3)]
    assert (closed["event"], closed["commit_id"]) == ("closed", sha)
    assert (referenced["event"], referenced["commit_id"]) == ("referenced", sha)
    push(host, "topic", {"d.txt": "d\n"}, "closes #3")
    assert client.get(PULL).json()["state"] == "open"


def report(host: Host, sha: str, state: str) -> None:
    """A status `test` of a commit."""
    with host.actors["w"].events.step("status") as call:
        context = GithubContext(call).act_as(ADA)
        repo = context.repo_by_id(APP)
        assert repo is not None
        number = context.next_id("github_status")
        context.add(
            Status(
                id=number,
                repo_id=APP,
                sha=sha,
                context="test",
                state=state,
                creator_id=ADA,
                created_at=call.now,
                updated_at=call.now,
            )
        )
        call.flush()
        reconsider_pulls_of_commit(context, repo, sha)


def test_a_pull_request_merges_by_itself_when_all_it_needs_is_there(client: HubClient, host: Host, say: Say) -> None:
    assert (
        why(say, "web/pulls/enable-auto-merge", "bo", pull_number=3) == "Auto merge is not allowed for this repository"
    )
    settings(host, allow_auto_merge=True)
    later(host)
    assert why(say, "web/pulls/enable-auto-merge", "bo", pull_number=3) == "Pull request is in clean status"
    rule = {
        "required_status_checks": {"strict": False, "contexts": ["test"]},
        "required_pull_request_reviews": {},
        "restrictions": None,
    }
    say("repos/update-branch-protection", branch="main", enforce_admins=True, **rule)
    waiting = say("web/pulls/enable-auto-merge", "bo", pull_number=3, merge_method="squash", commit_title="By itself")
    assert (waiting["auto_merge"]["merge_method"], waiting["auto_merge"]["enabled_by"]["login"]) == ("squash", "bo")
    say("pulls/create-review", pull_number=3, event="APPROVE")
    later(host)
    assert client.get(PULL).json()["state"] == "open"
    report(host, waiting["head"]["sha"], "success")
    later(host)
    found = client.get(PULL).json()
    assert (found["merged"], found["merged_by"]["login"], last(host)[0][0].splitlines()[0]) == (True, "bo", "By itself")


def test_merging_by_itself_ends_with_a_push_by_an_outsider_or_by_hand(client: HubClient, host: Host, say: Say) -> None:
    settings(host, allow_auto_merge=True)
    say(
        "repos/update-branch-protection",
        branch="main",
        enforce_admins=True,
        required_status_checks=None,
        required_pull_request_reviews={"required_approving_review_count": 2},
        restrictions=None,
    )
    later(host)
    say("web/pulls/enable-auto-merge", pull_number=3)
    assert say("web/pulls/disable-auto-merge", pull_number=3)["auto_merge"] is None
    assert [one["event"] for one in client.get("/repos/tiny/app/issues/3/events").json()] == [
        "auto_merge_enabled",
        "auto_merge_disabled",
    ]
