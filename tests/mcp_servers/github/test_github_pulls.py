"""Pull requests and their reviews by the code host's tools."""

from typing import Any

from tests.company import as_person
from tests.mcp_servers.calls import written
from tests.mcp_servers.github.json_answers import FEATURE, HERE, Json, done, later, same_as_rest
from world.run.host import Host


def test_a_pull_request_is_opened_with_its_reviewers_or_not_at_all(firm: Host, hub: Json) -> None:
    before = written(firm, "w")
    assert "pull request author" in hub.why("create_pull_request", "bo", **FEATURE, reviewers=["bo"])
    assert [row for row in written(firm, "w") if row not in before and "github" in row[0]] == []
    firm.actors["rest"].advance(firm.actors["w"].now)
    hub.get("create_pull_request", "bo", **FEATURE, reviewers=["dee", "tiny/support"], draft=True)
    same_as_rest(firm, "web/pulls/open", "bo", **FEATURE, reviewers=["dee"], team_reviewers=["support"], draft=True)
    assert done(firm) == "web/pulls/open"
    one = hub.get("pull_request_read", method="get", pullNumber=3)
    assert (one["requested_reviewers"], one["draft"], one["head"]["ref"], one["commits"]) == (
        ["dee"],
        True,
        "feature",
        1,
    )
    assert hub.why("create_pull_request", "bo", **FEATURE) == "Validation Failed"
    assert hub.why("create_pull_request", "bo", **FEATURE, reviewers=[7]) == "reviewers: must be a list of strings"


def test_each_change_of_a_pull_request_is_one_operation(firm: Host, hub: Json) -> None:
    hub.get("create_pull_request", "bo", **FEATURE)
    assert done(firm) == "pulls/create"
    for given, operation in [
        ({"title": "New"}, "pulls/update"),
        ({"draft": True}, "web/pulls/convert-to-draft"),
        ({"draft": False}, "web/pulls/mark-ready"),
        ({"reviewers": ["ada"]}, "pulls/request-reviewers"),
        ({"draft": True, "body": "Why", "reviewers": ["dee"]}, "web/pulls/edit"),
    ]:
        hub.get("update_pull_request", "bo", pullNumber=3, **given)
        assert done(firm) == operation
    one = hub.get("pull_request_read", method="get", pullNumber=3)
    assert (one["title"], one["body"], one["draft"], one["requested_reviewers"]) == ("New", "Why", True, ["ada", "dee"])
    assert hub.why("update_pull_request", "bo", pullNumber=3) == "arguments: No update parameters provided."
    assert hub.ask("update_pull_request", "bo", **HERE, pullNumber=3, title="Half", reviewers=["nobody"])[0]
    assert hub.get("pull_request_read", method="get", pullNumber=3)["title"] == "New"
    hub.get("update_pull_request_title", "bo", pullNumber=3, title="Last")
    hub.get("update_pull_request_body", "bo", pullNumber=3, body="Text")
    hub.get("update_pull_request_draft_state", "bo", pullNumber=3, draft=False)
    hub.get("update_pull_request_state", "bo", pullNumber=3, state="closed")
    hub.get("request_pull_request_reviewers", "bo", pullNumber=3, reviewers=["cyrus"])
    assert hub.get("list_pull_requests", state="closed", fields=["title", "body", "draft", "requested_reviewers"]) == [
        {"title": "Last", "body": "Text", "draft": False, "requested_reviewers": ["ada", "cyrus", "dee"]},
    ]


def test_every_side_of_a_pull_request_is_read(firm: Host, hub: Json) -> None:
    hub.get("create_pull_request", "bo", **FEATURE)
    later(firm)
    state = {
        "sha": hub.get("get_commit", sha="feature")["sha"],
        "state": "failure",
        "context": "ci/x",
        "description": "Red",
    }
    firm.call(as_person(firm), "rest", "repos/create-commit-status", {**HERE, **state})
    check = {"name": "lint", "head_sha": state["sha"], "status": "completed", "conclusion": "success"}
    firm.call(as_person(firm), "rest", "checks/create", {**HERE, **check})

    def read(method: str, **given: Any) -> Any:
        return hub.get("pull_request_read", method=method, pullNumber=3, **given)

    assert hub.text("pull_request_read", method="get_diff", pullNumber=3).startswith(
        "diff --git a/src/count.py b/src/count.py\n"
    )
    assert [one["filename"] for one in read("get_files")] == ["src/count.py"] and "tuple" in read(
        "get_files", perPage=1
    )[0]["patch"]
    assert read("get_files", page=2) == [] and [one["message"] for one in read("get_commits")] == ["Count in tuples"]
    assert (read("get_status")["state"], read("get_status")["statuses"][0]["context"]) == ("failure", "ci/x")
    assert [(one["name"], one["conclusion"]) for one in read("get_check_runs")["check_runs"]] == [("lint", "success")]
    whole = read("get_ci_summary")
    assert (whole["state"], whole["counts"], whole["failing_statuses"][0]["context"]) == (
        "failure",
        {"failure": 1, "success": 1},
        "ci/x",
    )
    hub.get("add_issue_comment", issue_number=3, body="hm")
    assert [one["body"] for one in read("get_comments")] == ["hm"] and read("get_reviews") == []
    assert hub.why("pull_request_read", method="get", pullNumber=1) == "Not Found"
    assert hub.why("pull_request_read", method="get_status", pullNumber=99) == "Not Found"
    assert hub.why("pull_request_read", method="get_status", pullNumber="x").startswith("pullNumber: ")
    assert hub.why("pull_request_read", method="get_review_comments", pullNumber=3, after="x").startswith("after: ")


def test_a_review_is_begun_filled_submitted_and_its_threads_settled(firm: Host, hub: Json) -> None:
    hub.get("create_pull_request", "bo", **FEATURE)
    line = {"pullNumber": 3, "path": "src/count.py", "body": "Why?", "subjectType": "LINE", "line": 2, "side": "RIGHT"}
    assert hub.why("add_comment_to_pending_review", **line) == "No pending review found for the viewer"
    assert hub.text("pull_request_review_write", method="create", pullNumber=3) == "pending pull request created"
    hub.text("add_comment_to_pending_review", **line)
    hub.text("add_pull_request_review_comment", pullNumber=3, path="src/count.py", body="All?", subjectType="FILE")
    assert hub.why("add_comment_to_pending_review", **{**line, "line": 99}) == "Validation Failed"
    assert hub.get("pull_request_read", "bo", method="get_review_comments", pullNumber=3)["totalCount"] == 0
    assert hub.why("pull_request_review_write", method="submit_pending", pullNumber=3) == "event: is required"
    hub.text(
        "pull_request_review_write", method="submit_pending", pullNumber=3, event="REQUEST_CHANGES", body="Please."
    )
    assert done(firm) == "pulls/submit-review"
    assert [
        (one["state"], one["user"]["login"]) for one in hub.get("pull_request_read", method="get_reviews", pullNumber=3)
    ] == [
        ("CHANGES_REQUESTED", "ada"),
    ]
    first = hub.get("pull_request_read", method="get_review_comments", pullNumber=3, perPage=1)
    [thread] = first["review_threads"]
    assert (thread["is_resolved"], thread["is_outdated"], thread["comments"][0]["line"]) == (False, False, 2)
    after = hub.get(
        "pull_request_read", method="get_review_comments", pullNumber=3, perPage=1, after=first["pageInfo"]["endCursor"]
    )
    assert after["review_threads"][0]["comments"][0]["body"] == "All?" and not after["pageInfo"]["hasNextPage"]
    assert (
        hub.text("pull_request_review_write", "bo", method="resolve_thread", pullNumber=3, threadId=thread["id"])
        == "review thread resolved successfully"
    )
    assert done(firm) == "web/threads/resolve"
    hub.text("unresolve_review_thread", "bo", threadID=thread["id"])
    hub.text("resolve_review_thread", "bo", threadID=thread["id"])
    assert (
        hub.get("pull_request_read", method="get_review_comments", pullNumber=3)["review_threads"][0]["is_collapsed"]
        is True
    )
    assert hub.why("resolve_review_thread", threadID="PRRT_x").startswith("threadID: must be the id of a review thread")
    assert hub.why("resolve_review_thread", "eve", threadID=thread["id"]) == "Not Found"
    comment = int(thread["comments"][0]["html_url"].rpartition("_r")[2])
    assert hub.get("add_reply_to_pull_request_comment", "bo", commentId=comment, body="Because.")["url"].endswith(
        f"_r{comment + 2}"
    )
    hub.get("add_reply_to_pull_request_comment", "bo", commentId=comment, reaction="+1")
    hub.get("add_pull_request_review_comment_reaction", comment_id=comment, content="rocket")
    assert hub.why("add_reply_to_pull_request_comment", commentId=comment) == "arguments: give either body or reaction"


def test_reviews_one_by_one_and_the_merge(firm: Host, hub: Json) -> None:
    hub.get("create_pull_request", "bo", **FEATURE)
    assert hub.text("create_pull_request_review", pullNumber=3) == "pending pull request created"
    hub.text("delete_pending_pull_request_review", pullNumber=3)
    hub.text("create_pull_request_review", pullNumber=3)
    hub.text("pull_request_review_write", method="delete_pending", pullNumber=3)
    assert (
        hub.why("submit_pending_pull_request_review", pullNumber=3, event="APPROVE")
        == "No pending review found for the viewer"
    )
    hub.text("create_pull_request_review", pullNumber=3, body="ok")
    hub.text("submit_pending_pull_request_review", pullNumber=3, event="APPROVE")
    assert (
        hub.text("pull_request_review_write", "dee", method="create", pullNumber=3, event="COMMENT", body="Nice")
        == "pull request review submitted successfully"
    )
    hub.get("push_files", branch="main", files=[{"path": "m.md", "content": "m"}], message="More")
    later(firm)
    assert hub.ask("update_pull_request_branch", "bo", **HERE, pullNumber=3, expectedHeadSha="0" * 40)[0]
    assert hub.get("update_pull_request_branch", "bo", pullNumber=3)["message"] == "Updating pull request branch."
    later(firm)
    assert hub.why("merge_pull_request", "dee", pullNumber=3).startswith("Must have admin rights")
    assert (
        hub.get("merge_pull_request", "bo", pullNumber=3, merge_method="squash", commit_title="Tuples (#3)")["merged"]
        is True
    )
    assert hub.get("list_commits", perPage=1)[0]["commit"]["message"].startswith("Tuples (#3)")
    assert hub.get("pull_request_read", method="get", pullNumber=3)["merged_by"] == "bo"
