"""Protected branches: settings in the vendor's shapes, and what they keep from happening on pushes, edits and merges."""

from typing import Any

import pytest

from apps.github.domain.context import GithubContext
from apps.github.domain.protection import check_ref_update, fits
from apps.github.models_actions import CheckRun, Status
from tests.apps.github.conftest import ADA, APP, Say
from tests.apps.github.pushes import PEOPLE, later, push, rows, why
from tests.conformance.github_client import HubClient
from world.core.errors import OperationError
from world.run.host import Host

RULE = "/repos/tiny/app/branches/main/protection"
MERGE = "/repos/tiny/app/pulls/3/merge"
NOTHING = {
    "required_status_checks": None,
    "enforce_admins": None,
    "required_pull_request_reviews": None,
    "restrictions": None,
}
ONE_REVIEW = "At least 1 approving review is required by reviewers with write access."


@pytest.fixture
def client(host: Host, say: Say) -> HubClient:
    """With pull request 3 by Bo."""
    push(host, "topic", {"a.txt": "a\n"}, "Add a", start="main")
    say("pulls/create", "bo", title="A file", head="topic", base="main")
    later(host)
    return HubClient(host)


def protect(client: HubClient, **more: Any) -> None:
    """Protect main, for administrators too unless said otherwise."""
    answer = client.put(RULE, json={**NOTHING, "enforce_admins": True, **more})
    assert answer.status_code == 200, answer.text


def merged(client: HubClient, **more: Any) -> str:
    """What is said to an attempt to merge, by Ada."""
    return client.put(MERGE, json=more).json()["message"]


def pushed(host: Host, who: str = "bo", branch: str = "main", **more: Any) -> str:
    """What is said to a push."""
    try:
        push(host, branch, {"x.txt": f"{who}\n"}, who=who, **more)
    except OperationError as refused:
        return str(refused.detail["why"])
    return "done"


def report(host: Host, state: str, name: str = "test", *, run: bool = False) -> None:
    """A status or check of the pull request's head."""
    [(sha,)] = rows(host, "SELECT head_sha FROM github_pull")
    with host.actors["w"].events.step("report") as call:
        context = GithubContext(call)
        if run:
            done: dict[str, Any] = (
                {"status": "queued"} if state == "queued" else {"status": "completed", "conclusion": state}
            )
            row: Any = CheckRun(
                id=context.next_id("github_check_run"),
                repo_id=APP,
                suite_id=1,
                head_sha=sha,
                name=name,
                created_at=call.now,
                **done,
            )
        else:
            row = Status(
                id=context.next_id("github_status"),
                repo_id=APP,
                sha=sha,
                context=name,
                state=state,
                creator_id=ADA,
                created_at=call.now,
                updated_at=call.now,
            )
        context.add(row)


def test_a_rule_is_read_as_it_was_written_and_belongs_to_administrators(client: HubClient) -> None:
    reviews = {
        "required_approving_review_count": 2,
        "dismiss_stale_reviews": True,
        "require_code_owner_reviews": True,
        "require_last_push_approval": True,
        "dismissal_restrictions": {"users": ["bo"], "teams": ["core"]},
        "bypass_pull_request_allowances": {"users": ["ada"], "teams": []},
    }
    whole = {
        "required_status_checks": {"strict": True, "checks": [{"context": "test"}, {"context": "lint", "app_id": 1}]},
        "enforce_admins": True,
        "required_pull_request_reviews": reviews,
        "restrictions": {"users": ["bo"], "teams": ["core"], "apps": []},
        "required_linear_history": True,
        "allow_force_pushes": True,
        "allow_deletions": True,
        "block_creations": True,
        "required_conversation_resolution": True,
        "lock_branch": True,
        "allow_fork_syncing": True,
    }
    assert client.get(RULE).json()["message"] == "Branch not protected"
    assert client.put(RULE, json=whole).status_code == 200
    found = client.get(RULE).json()
    assert (
        found["required_status_checks"]["contexts"] == ["test", "lint"]
        and found["required_status_checks"]["strict"] is True
    )
    assert [one["login"] for one in found["restrictions"]["users"]] == ["bo"]
    assert found["required_pull_request_reviews"]["dismissal_restrictions"]["teams"][0]["slug"] == "core"
    flags = (
        "enforce_admins",
        "required_linear_history",
        "allow_force_pushes",
        "allow_deletions",
        "block_creations",
        "lock_branch",
        "required_conversation_resolution",
        "allow_fork_syncing",
    )
    assert all(found[name]["enabled"] for name in flags)
    assert client.get(RULE, who="bo").status_code == 404 == client.put(RULE, who="bo", json=whole).status_code
    assert client.get("/repos/tiny/app/branches/gone/protection").json()["message"] == "Branch not found"
    assert client.put(RULE, json={}).status_code == 422
    assert client.put(RULE, json={**whole, "restrictions": {"users": ["dee"], "teams": []}}).status_code == 422
    assert client.delete(RULE).status_code == 204 and client.get(RULE).status_code == 404
    client.put(RULE, json=whole)
    client.patch("/repos/tiny/app", json={"archived": True})
    assert (client.get(RULE).status_code, client.delete(RULE).status_code) == (200, 403)


def test_parts_of_a_rule_are_read_and_changed_alone(client: HubClient) -> None:
    protect(
        client, required_status_checks={"strict": False, "contexts": ["test"]}, restrictions={"users": [], "teams": []}
    )
    assert client.get(f"{RULE}/required_pull_request_reviews").status_code == 404
    assert (
        client.patch(f"{RULE}/required_pull_request_reviews", json={"dismiss_stale_reviews": True}).json()[
            "required_approving_review_count"
        ]
        == 1
    )
    assert client.get(f"{RULE}/required_pull_request_reviews").json()["dismiss_stale_reviews"] is True
    assert client.delete(f"{RULE}/required_pull_request_reviews").status_code == 204
    checks = f"{RULE}/required_status_checks"
    assert client.patch(checks, json={"strict": True}).json()["contexts"] == ["test"]
    assert client.post(f"{checks}/contexts", json=["lint", "test"]).json() == ["test", "lint"]
    assert client.request("DELETE", f"{checks}/contexts", json={"contexts": ["test"]}).json() == ["lint"]
    assert client.put(f"{checks}/contexts", json=["a"]).json() == ["a"] == client.get(f"{checks}/contexts").json()
    assert client.delete(checks).status_code == 204 and client.get(checks).status_code == 404
    assert client.get(f"{RULE}/enforce_admins").json()["enabled"] is True
    assert client.delete(f"{RULE}/enforce_admins").status_code == 204
    assert client.post(f"{RULE}/enforce_admins").json()["enabled"] is True
    users, teams = f"{RULE}/restrictions/users", f"{RULE}/restrictions/teams"
    assert [one["login"] for one in client.post(users, json={"users": ["bo"]}).json()] == ["bo"]
    assert (
        [one["slug"] for one in client.put(teams, json=["core"]).json()]
        == ["core"]
        == [one["slug"] for one in client.get(teams).json()]
    )
    assert client.request("DELETE", users, json=["bo"]).json() == [] == client.get(users).json()
    assert client.get(f"{RULE}/restrictions").json()["teams"][0]["slug"] == "core"
    assert client.delete(f"{RULE}/restrictions").status_code == 204 and client.get(users).status_code == 404


def test_a_branch_that_asks_for_reviews_takes_no_pushes_and_no_edits(client: HubClient, host: Host) -> None:
    protect(client, required_pull_request_reviews={})
    assert pushed(host) == "Changes must be made through a pull request." == pushed(host, "ada")
    edit = client.put("/repos/tiny/app/contents/new.txt", who="bo", json={"message": "x", "content": "eA=="})
    assert edit.status_code in (409, 422) and "Changes must be made through a pull request." in edit.json()["message"]
    client.delete(f"{RULE}/enforce_admins")
    assert pushed(host, "ada") == "done"
    client.patch(f"{RULE}/required_pull_request_reviews", json={"bypass_pull_request_allowances": {"teams": ["core"]}})
    assert pushed(host) == "done"


def test_a_push_is_told_the_rule_and_all_reasons(client: HubClient, host: Host) -> None:
    protect(
        client,
        required_pull_request_reviews={},
        required_status_checks={"strict": False, "contexts": ["test", "lint"]},
        restrictions={"users": [], "teams": []},
        required_linear_history=True,
    )
    assert (
        said(host, "refs/heads/main", "refs/heads/topic")
        == "GH006: Protected branch update failed for refs/heads/main.\n\n- You're not authorized to push to this"
        " branch. Visit https://docs.github.com/articles/about-protected-branches/ for more information.\n- Changes"
        " must be made through a pull request.\n- 2 of 2 required status checks are expected."
    )
    assert (
        said(host, "refs/heads/main", None)
        == "GH006: Protected branch update failed for refs/heads/main.\n\n- Cannot delete this branch"
    )
    assert (
        said(host, "refs/heads/main", "refs/tags/v0.1") is not None
        and said(host, "refs/heads/other", "refs/heads/topic") is None
    )


def said(host: Host, ref: str, to: str | None, who: str = "bo") -> str | None:
    """What is said to a change of a ref to where another one is."""
    with host.actors["w"].events.step("try") as call:
        context = GithubContext(call).act_as(PEOPLE[who])
        repo = context.repo_by_id(APP)
        assert repo is not None
        git = context.git(repo)
        return check_ref_update(context, repo, ref, git.ref(ref), git.ref(to) if to else None)


def test_history_stays_unless_a_rule_lets_it_be_rewritten_even_for_administrators(
    client: HubClient, host: Host
) -> None:
    protect(client, enforce_admins=False)
    assert pushed(host, "ada", start="v0.1", force=True) == "Cannot force-push to this branch"
    protect(client, allow_force_pushes=True, allow_deletions=True)
    assert pushed(host, "bo", start="v0.1", force=True) == "done"
    assert said(host, "refs/heads/main", None) is None


def test_locks_linear_history_and_restrictions_hold_for_pushes_and_merges(client: HubClient, host: Host) -> None:
    protect(client, lock_branch=True)
    assert (pushed(host), merged(client)) == ("Cannot change this locked branch",) * 2
    protect(client, restrictions={"users": ["ada"], "teams": []})
    assert pushed(host).startswith("You're not authorized to push to this branch.")
    assert (
        client.put(MERGE, who="bo", json={})
        .json()["message"]
        .startswith("You're not authorized to push to this branch.")
    )
    protect(client, required_linear_history=True)
    assert (
        pushed(host, merging=client.get("/repos/tiny/app/pulls/3").json()["head"]["sha"])
        == "This branch must not contain merge commits."
    )
    assert merged(client) == "This branch must not contain merge commits."
    assert merged(client, merge_method="squash") == "Pull Request successfully merged"


def test_only_approvals_by_people_with_write_access_count_and_the_latest_of_each(client: HubClient, say: Say) -> None:
    protect(client, required_pull_request_reviews={})
    say("pulls/create-review", "dee", pull_number=3, event="APPROVE")
    assert merged(client) == ONE_REVIEW and say("pulls/get", pull_number=3)["mergeable_state"] == "blocked"
    say("pulls/create-review", pull_number=3, event="APPROVE")
    assert say("pulls/get", pull_number=3)["mergeable_state"] == "clean"
    say("pulls/create-review", pull_number=3, event="REQUEST_CHANGES", body="No")
    say("pulls/create-review", pull_number=3, event="COMMENT", body="Hm")
    assert merged(client).endswith(ONE_REVIEW) and say("pulls/get", pull_number=3)["mergeable_state"] == "blocked"
    say("pulls/create-review", pull_number=3, event="APPROVE")
    assert merged(client) == "Pull Request successfully merged"


def test_administrators_pass_where_the_rule_does_not_bind_them(client: HubClient) -> None:
    protect(client, enforce_admins=False, required_pull_request_reviews={"required_approving_review_count": 2})
    assert (
        client.put(MERGE, who="bo", json={}).json()["message"]
        == "At least 2 approving reviews are required by reviewers with write access."
    )
    assert merged(client) == "Pull Request successfully merged"


def test_required_checks_are_expected_pending_failing_or_passed(client: HubClient, host: Host, say: Say) -> None:
    protect(client, required_status_checks={"strict": False, "contexts": ["test"]})
    assert merged(client) == 'Required status check "test" is expected.'
    report(host, "pending")
    assert merged(client) == 'Required status check "test" is pending.'
    report(host, "success")
    report(host, "failure", run=True)
    assert merged(client) == 'Required status check "test" is failing.'
    report(host, "neutral", run=True)
    assert say("pulls/get", pull_number=3)["mergeable_state"] == "clean"
    report(host, "failure", "optional")
    assert say("pulls/get", pull_number=3)["mergeable_state"] == "unstable"
    client.post(f"{RULE}/required_status_checks/contexts", json=["lint", "types"])
    report(host, "queued", "lint", run=True)
    assert merged(client) == "2 of 3 required status checks have not succeeded: 1 expected and 1 pending."


def test_a_strict_rule_asks_for_a_branch_that_is_up_to_date(client: HubClient, host: Host, say: Say) -> None:
    protect(client, enforce_admins=False, required_status_checks={"strict": True, "contexts": ["test"]})
    report(host, "success")
    assert say("pulls/get", pull_number=3)["mergeable_state"] == "clean"
    push(host, "main", {"z.txt": "z\n"}, who="ada")
    later(host)
    assert say("pulls/get", pull_number=3)["mergeable_state"] == "behind"
    assert client.put(MERGE, who="bo", json={}).json()["message"] == 'Required status check "test" is expected.'
    say("pulls/update-branch", "bo", pull_number=3)
    report(host, "success")
    later(host)
    assert client.put(MERGE, who="bo", json={}).status_code == 200


def test_what_is_pushed_later_dismisses_approvals_or_needs_another_pair_of_eyes(
    client: HubClient, host: Host, say: Say
) -> None:
    protect(client, required_pull_request_reviews={"dismiss_stale_reviews": True})
    say("pulls/create-review", pull_number=3, event="APPROVE")
    push(host, "topic", {"a.txt": "b\n"})
    [review] = say("pulls/list-reviews", pull_number=3)
    assert review["state"] == "DISMISSED" and merged(client) == ONE_REVIEW
    assert [one["event"] for one in client.get("/repos/tiny/app/issues/3/events").json()] == ["review_dismissed"]
    protect(
        client, required_pull_request_reviews={"require_last_push_approval": True, "required_approving_review_count": 0}
    )
    push(host, "topic", {"a.txt": "c\n"}, who="ada")
    say("pulls/create-review", pull_number=3, event="APPROVE")
    assert (
        merged(client) == "New changes require approval from someone other than ada because they were the last pusher."
    )
    push(host, "topic", {"a.txt": "d\n"})
    say("pulls/create-review", pull_number=3, event="APPROVE")
    assert merged(client) == "Pull Request successfully merged"


def test_owners_must_approve_and_conversations_be_resolved_where_a_rule_says_so(
    client: HubClient, host: Host, say: Say
) -> None:
    push(host, "main", {"CODEOWNERS": "*.txt @ada @tiny/core\n"}, who="ada")
    protect(
        client,
        required_conversation_resolution=True,
        required_pull_request_reviews={"require_code_owner_reviews": True, "required_approving_review_count": 0},
    )
    head = say("pulls/get", pull_number=3)["head"]["sha"]
    say("pulls/create-review-comment", "dee", pull_number=3, body="?", path="a.txt", line=1, commit_id=head)
    assert merged(client) == "Waiting on code owner review from ada and/or tiny/core. All comments must be resolved."
    [(thread,)] = rows(host, "SELECT id FROM github_review_thread")
    say("web/threads/resolve", thread_id=thread)
    say("pulls/create-review", pull_number=3, event="APPROVE")
    assert merged(client) == "Pull Request successfully merged"


@pytest.mark.parametrize(
    ("pattern", "branch", "covered"),
    [
        ("main", "main", True),
        ("release/*", "release/1", True),
        ("release/*", "release/1/a", False),
        ("*", "main", True),
        ("*", "a/b", False),
        ("**/x", "a/b/x", True),
        ("rel[0-9]", "rel7", True),
        ("rel[!0-9]", "rel7", False),
        ("**", "a", True),
        ("v?", "v1", True),
    ],
)
def test_patterns_are_of_fnmatch(pattern: str, branch: str, covered: bool) -> None:
    assert fits(pattern, branch) is covered


def test_who_may_dismiss_is_said_by_the_rule(client: HubClient, say: Say) -> None:
    protect(client, required_pull_request_reviews={"dismissal_restrictions": {"users": ["ada"]}})
    review = say("pulls/create-review", pull_number=3, event="APPROVE")
    assert why(say, "pulls/dismiss-review", "bo", pull_number=3, review_id=review["id"], message="x") == "forbidden"
    assert say("pulls/dismiss-review", pull_number=3, review_id=review["id"], message="x")["state"] == "DISMISSED"
