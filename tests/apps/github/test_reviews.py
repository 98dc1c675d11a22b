"""Reviews: pending and submitted, comments on lines, conversations that move and are resolved, requests, suggestions."""

from typing import Any

import pytest

from apps.github.operations.pulls.suggestions import suggestion_in
from tests.apps.github.conftest import BO, CY, Say
from tests.apps.github.pushes import push, rows, why
from tests.conformance.github_client import HubClient
from world.run.host import Host

PULL = "/repos/tiny/app/pulls/3"
LONG = "".join(f"line {number}\n" for number in range(1, 31))


@pytest.fixture
def client(host: Host) -> HubClient:
    """With pull request 3 by Bo: two hunks in a file of thirty lines."""
    push(host, "main", {"long.txt": LONG}, who="ada")
    push(
        host,
        "topic",
        {"long.txt": LONG.replace("line 5\n", "five\n").replace("line 25\n", "25\nand a half\n")},
        start="main",
    )
    made = HubClient(host)
    assert (
        made.post(
            "/repos/tiny/app/pulls", who="bo", json={"title": "Numbers", "head": "topic", "base": "main"}
        ).status_code
        == 201
    )
    return made


def comment(client: HubClient, who: str = "ada", **more: Any) -> Any:
    """A single comment on the head."""
    head = client.get(PULL).json()["head"]["sha"]
    return client.post(
        f"{PULL}/comments", who=who, json={"body": "Why?", "commit_id": head, "path": "long.txt", **more}
    )


def test_a_pending_review_is_its_authors_alone_until_it_is_submitted(client: HubClient) -> None:
    made = client.post(
        f"{PULL}/reviews", json={"body": "Hm", "comments": [{"path": "long.txt", "line": 5, "body": "Why?"}]}
    ).json()
    assert (made["state"], "submitted_at" in made) == ("PENDING", False)
    assert client.get(f"{PULL}/reviews", who="bo").json() == [] == client.get(f"{PULL}/comments", who="bo").json()
    assert client.get(f"{PULL}/reviews/{made['id']}", who="bo").status_code == 404
    [mine] = client.get(f"{PULL}/reviews/{made['id']}/comments").json()
    assert [
        client.get(f"/repos/tiny/app/pulls/comments/{mine['id']}", who=who).status_code for who in ("ada", "bo")
    ] == [200, 404]
    assert len(client.get(f"{PULL}/reviews").json()) == 1 and client.get(PULL).json()["review_comments"] == 0
    changed = client.put(f"{PULL}/reviews/{made['id']}", json={"body": "Well"}).json()
    assert changed["body"] == "Well"
    sent = client.post(f"{PULL}/reviews/{made['id']}/events", json={"event": "REQUEST_CHANGES"}).json()
    assert (sent["state"], sent["body"], bool(sent["submitted_at"])) == ("CHANGES_REQUESTED", "Well", True)
    [seen] = client.get(f"{PULL}/reviews/{made['id']}/comments", who="bo").json()
    assert (seen["body"], seen["line"], seen["position"], seen["side"]) == ("Why?", 5, 5, "RIGHT")
    assert client.get(PULL).json()["review_comments"] == 1


def test_there_is_one_pending_review_per_person_and_no_opinion_of_ones_own_work(client: HubClient, say: Say) -> None:
    answer = client.post(f"{PULL}/reviews", who="bo", json={"event": "APPROVE"})
    assert (answer.status_code, answer.json()["message"]) == (422, "Unprocessable Entity")
    assert answer.json()["errors"] == ["Can not approve your own pull request"]
    assert (
        why(say, "pulls/create-review", "bo", pull_number=3, event="REQUEST_CHANGES", body="x")
        == "Can not request changes on your own pull request"
    )
    assert say("pulls/create-review", "bo", pull_number=3, event="COMMENT", body="Note")["state"] == "COMMENTED"
    first = say("pulls/create-review", pull_number=3)
    assert why(say, "pulls/create-review", pull_number=3) == "User can only have one pending review per pull request"
    assert (
        comment(client, line=5).json()["errors"][0]["message"]
        == "user_id can only have one pending review per pull request"
    )
    assert client.delete(f"{PULL}/reviews/{first['id']}").json()["state"] == "PENDING"
    assert say("pulls/create-review", pull_number=3, event="APPROVE")["state"] == "APPROVED"
    assert why(say, "pulls/create-review", pull_number=3, event="COMMENT") == "Body can't be blank"


def test_comments_stand_on_lines_of_the_diff_only(client: HubClient) -> None:
    kept = comment(client, line=26, start_line=24, side="RIGHT", start_side="RIGHT").json()
    assert (kept["start_line"], kept["line"], kept["original_position"]) == (24, 26, 15)
    assert kept["diff_hunk"].splitlines()[0] == "@@ -22,7 +22,8 @@ line 21" and kept["diff_hunk"].endswith(
        "+and a half"
    )
    left = comment(client, line=25, side="LEFT").json()
    assert left["diff_hunk"].endswith("-line 25")
    assert comment(client, position=5).json()["line"] == 5
    whole = comment(client, subject_type="file").json()
    assert (whole["subject_type"], "line" in whole) == ("file", False)
    wrong = [
        comment(client, line=15),
        comment(client, line=26, side="LEFT", path="nothing.txt"),
        comment(client, line=26, start_line=5),
        comment(client, position=99),
        comment(client, line=5, commit_id="0" * 40),
        comment(client, line=5, body=" "),
    ]
    assert {answer.status_code for answer in wrong} == {422}
    said = [answer.json()["errors"][0].get("message") for answer in wrong]
    assert said == [
        "pull_request_review_thread.line must be part of the diff",
        "pull_request_review_thread.path is invalid",
        "pull_request_review_thread.start_line must be part of the same hunk as the line.",
        "pull_request_review_thread.position must be part of the diff",
        "commit_id is not part of the pull request",
        None,
    ]
    missed = client.post(
        f"{PULL}/reviews", json={"event": "COMMENT", "comments": [{"path": "long.txt", "line": 15, "body": "x"}]}
    )
    assert missed.json()["errors"] == ["Line could not be resolved"]
    assert len(client.get(f"{PULL}/comments").json()) == 4


def test_answers_go_to_the_head_of_their_conversation_and_lists_are_sorted_and_cut(client: HubClient) -> None:
    first = comment(client, line=5).json()
    second = client.post(f"{PULL}/comments/{first['id']}/replies", who="bo", json={"body": "Because."}).json()
    third = comment(client, in_reply_to=second["id"], body="I see").json()
    assert [one.get("in_reply_to_id") for one in (first, second, third)] == [None, first["id"], first["id"]]
    assert (
        client.patch(f"/repos/tiny/app/pulls/comments/{first['id']}", json={"body": "Why five?"}).json()["body"]
        == "Why five?"
    )
    assert (
        client.patch(f"/repos/tiny/app/pulls/comments/{first['id']}", who="dee", json={"body": "No"}).status_code == 403
    )
    newest = client.get("/repos/tiny/app/pulls/comments?sort=updated&direction=desc").json()
    assert [one["id"] for one in newest] == [first["id"], third["id"], second["id"]]
    since = client.get(f"{PULL}/comments", params={"since": newest[0]["updated_at"]}).json()
    assert [one["id"] for one in since] == [first["id"]]
    for one in (first, second, third):
        assert client.delete(f"/repos/tiny/app/pulls/comments/{one['id']}").status_code == 204
    assert client.get(f"/repos/tiny/app/pulls/comments/{first['id']}").status_code == 404


def test_lines_move_with_what_is_pushed_and_are_outdated_when_they_change(client: HubClient, host: Host) -> None:
    comment(client, line=5)
    comment(client, line=25, side="LEFT", body="old")
    moved = "zero\n" + LONG.replace("line 5\n", "five\n").replace("line 25\n", "25\nand a half\n")
    new = push(host, "topic", {"long.txt": moved})
    first, second = client.get(f"{PULL}/comments").json()
    assert (first["line"], first["original_line"], first["commit_id"]) == (6, 5, new) and second["line"] == 25
    push(host, "topic", {"long.txt": moved.replace("five", "FIVE")})
    first, second = client.get(f"{PULL}/comments").json()
    assert "line" not in first and "position" not in first and (first["commit_id"], second["line"]) == (new, 25)
    push(host, "topic", {"long.txt": moved})
    assert client.get(f"{PULL}/comments").json()[0]["line"] == 6


def test_conversations_are_resolved_by_the_author_and_by_who_can_push(client: HubClient, host: Host, say: Say) -> None:
    comment(client, line=5)
    [(thread,)] = rows(host, "SELECT id FROM github_review_thread")
    assert say("web/threads/resolve", "bo", thread_id=thread)["resolved_by"] == "bo"
    assert say("web/threads/unresolve", "ada", thread_id=thread)["is_resolved"] is False
    assert why(say, "web/threads/resolve", "dee", thread_id=thread) == "forbidden"
    say("pulls/create-review", "dee", pull_number=3, comments=[{"path": "long.txt", "line": 5, "body": "mine"}])
    [_, (hidden,)] = rows(host, "SELECT id FROM github_review_thread ORDER BY id")
    assert why(say, "web/threads/resolve", thread_id=hidden) == "not_found"


def test_reviews_are_asked_for_and_the_answer_takes_the_request_back(client: HubClient, host: Host, say: Say) -> None:
    asked = client.post(
        f"{PULL}/requested_reviewers", who="bo", json={"reviewers": ["ada", "dee"], "team_reviewers": ["support"]}
    )
    assert asked.status_code == 201
    assert (
        [one["login"] for one in asked.json()["requested_reviewers"]],
        asked.json()["requested_teams"][0]["slug"],
    ) == (["ada", "dee"], "support")
    assert (
        why(say, "pulls/request-reviewers", pull_number=3, reviewers=["bo"])
        == "Review cannot be requested from pull request author."
    )
    assert why(say, "pulls/request-reviewers", pull_number=3, reviewers=["eve"]).startswith(
        "Reviews may only be requested from collaborators."
    )
    assert client.post(f"{PULL}/requested_reviewers", who="dee", json={"reviewers": ["ada"]}).status_code == 403
    say("pulls/create-review", "cyrus", pull_number=3, event="COMMENT", body="Fine with support")
    left = client.get(f"{PULL}/requested_reviewers").json()
    assert ([one["login"] for one in left["users"]], left["teams"]) == (["ada", "dee"], [])
    removed = client.request("DELETE", f"{PULL}/requested_reviewers", json={"reviewers": ["dee"]}).json()
    assert [one["login"] for one in removed["requested_reviewers"]] == ["ada"]
    events = [one["event"] for one in client.get("/repos/tiny/app/issues/3/events").json()]
    assert events == ["review_requested", "review_requested", "review_requested", "review_request_removed"]
    inbox = dict(rows(host, "SELECT account_id, reason FROM github_notification WHERE subject = 'PullRequest'"))
    assert inbox[CY] == "review_requested"


def test_a_dismissed_approval_no_longer_counts_and_is_told(client: HubClient, say: Say) -> None:
    approved = say("pulls/create-review", pull_number=3, event="APPROVE")
    assert why(say, "pulls/dismiss-review", "dee", pull_number=3, review_id=approved["id"], message="x") == "forbidden"
    shown = client.put(f"{PULL}/reviews/{approved['id']}/dismissals", who="bo", json={"message": "Too old"}).json()
    assert shown["state"] == "DISMISSED"
    [event] = client.get("/repos/tiny/app/issues/3/events").json()
    assert event["dismissed_review"] == {
        "state": "approved",
        "review_id": approved["id"],
        "dismissal_message": "Too old",
    }
    assert (
        why(say, "pulls/dismiss-review", pull_number=3, review_id=approved["id"], message="x")
        == "Can not dismiss a dismissed pull request review"
    )
    assert (
        why(say, "pulls/delete-pending-review", pull_number=3, review_id=approved["id"])
        == "Can not delete a non-pending pull request review"
    )


def test_suggestions_become_one_commit_of_several(client: HubClient, host: Host, say: Say) -> None:
    one = comment(client, line=5, body="Better:\n```suggestion\nFive!\n```\nno?").json()["id"]
    two = comment(client, line=26, start_line=25, body="```suggestion\r\ntwenty-five\r\n\r\nand a half\r\n```").json()[
        "id"
    ]
    plain = comment(client, line=5, body="No change").json()["id"]
    assert (
        why(say, "web/pulls/apply-suggestions", "bo", pull_number=3, comment_ids=[plain])
        == "The comment has no suggestion."
    )
    assert why(say, "web/pulls/apply-suggestions", "dee", pull_number=3, comment_ids=[one]) == "forbidden"
    head = say("web/pulls/apply-suggestions", "bo", pull_number=3, comment_ids=[one, two])["sha"]
    last = client.get(f"{PULL}/commits").json()[-1]
    assert (last["sha"], last["commit"]["author"]["name"], last["commit"]["committer"]["name"]) == (
        head,
        "Bo Lindqvist",
        "GitHub",
    )
    assert (
        last["commit"]["message"]
        == "Apply suggestions from code review\n\nCo-authored-by: Ada Novak <ada@tiny.example>"
    )
    patch = client.get(f"{PULL}/files").json()[0]["patch"]
    resolved = dict(
        rows(
            host,
            "SELECT c.id, t.resolved_by_id FROM github_review_comment c JOIN github_review_thread t ON t.id ="
            " c.thread_id",
        )
    )
    assert (resolved[one], resolved[two], resolved[plain]) == (BO, BO, None)
    assert "+Five!\n" in patch and "+twenty-five\n+\n+and a half\n" in patch and "\r" not in patch
    assert (
        why(say, "web/pulls/apply-suggestions", "bo", pull_number=3, comment_ids=[one])
        == "Outdated suggestions cannot be applied."
    )


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("```suggestion\nx\n```", "x\n"),
        ("```suggestion\n```", ""),
        ("````suggestion\n```\n````", "```\n"),
        ("```python\nx\n```", None),
        ("text ```suggestion\nx\n```", None),
        ("~~~ suggestion\nx\n~~~", "x\n"),
    ],
)
def test_suggestions_are_read_from_their_block(body: str, text: str | None) -> None:
    assert suggestion_in(body) == text


def test_nobody_speaks_in_a_locked_conversation_but_those_who_can_push(client: HubClient, say: Say) -> None:
    say("issues/lock", issue_number=3)
    assert why(say, "pulls/create-review", "dee", pull_number=3, event="COMMENT", body="x") == "locked"
    assert comment(client, who="dee", line=5).status_code == 403
    assert say("pulls/create-review", pull_number=3, event="COMMENT", body="x")["state"] == "COMMENTED"
