"""Work on issues over REST: changes, labels, people, milestones, comments, reactions, the timeline, sub-issues."""

from typing import Any

import pytest

from tests.apps.github.conftest import Say
from tests.conformance.github_client import HubClient

APP = "/repos/tiny/app"


def _issue(client: HubClient, **fields: Any) -> dict[str, Any]:
    answer = client.post(f"{APP}/issues", json={"title": "A thing", **fields})
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_an_issue_is_closed_with_a_reason_and_reopened(client: HubClient) -> None:
    closed = client.patch(f"{APP}/issues/1", json={"state": "closed", "state_reason": "not_planned"}).json()
    assert (closed["state"], closed["state_reason"], closed["closed_by"]["login"]) == ("closed", "not_planned", "ada")
    opened = client.patch(f"{APP}/issues/1", json={"state": "open"}).json()
    assert (opened["state"], opened["state_reason"], opened["closed_at"]) == ("open", "reopened", None)
    assert [event["event"] for event in client.get(f"{APP}/issues/1/events").json()] == ["closed", "reopened"]


def test_who_may_only_read_changes_own_issues_but_no_labels_or_people(client: HubClient) -> None:
    mine = client.post(f"{APP}/issues", json={"title": "Mine"}, who="dee").json()
    changed = client.patch(
        f"{APP}/issues/{mine['number']}", json={"title": "Still mine", "labels": ["bug"]}, who="dee"
    ).json()
    assert (changed["title"], changed["labels"]) == ("Still mine", [])
    assert client.patch(f"{APP}/issues/1", json={"title": "x"}, who="dee").status_code == 403
    assert client.post(f"{APP}/issues/1/labels", json={"labels": ["bug"]}, who="dee").status_code == 403


def test_labels_are_set_added_taken_off_and_an_unknown_one_is_made(client: HubClient) -> None:
    names = [label["name"] for label in client.post(f"{APP}/issues/1/labels", json=["bug", "urgent"]).json()]
    assert names == ["bug", "urgent"]
    assert [label["name"] for label in client.delete(f"{APP}/issues/1/labels/bug").json()] == ["urgent"]
    assert client.delete(f"{APP}/issues/1/labels/bug").status_code == 404
    client.put(f"{APP}/issues/1/labels", json={"labels": ["good first issue"]})
    assert [label["name"] for label in client.get(f"{APP}/issues/1/labels").json()] == ["good first issue"]
    assert client.delete(f"{APP}/issues/1/labels").status_code == 204
    assert "urgent" in [label["name"] for label in client.get(f"{APP}/labels").json()]


def test_a_label_is_made_renamed_and_deleted_and_one_name_is_given_once(client: HubClient) -> None:
    made = client.post(f"{APP}/labels", json={"name": "docs", "color": "0075CA"})
    assert (made.status_code, made.json()["color"]) == (201, "0075ca")
    again = client.post(f"{APP}/labels", json={"name": "DOCS"})
    assert (again.status_code, again.json()["errors"]) == (
        422,
        [{"resource": "Label", "field": "name", "code": "already_exists"}],
    )
    assert client.post(f"{APP}/labels", json={"name": "x", "color": "red"}).status_code == 422
    assert client.patch(f"{APP}/labels/docs", json={"new_name": "documentation"}).json()["name"] == "documentation"
    assert client.delete(f"{APP}/labels/documentation").status_code == 204
    assert client.get(f"{APP}/labels/documentation").status_code == 404


def test_assignees_must_see_the_repository_and_are_told(client: HubClient, say: Say) -> None:
    answer = client.post(f"{APP}/issues/1/assignees", json={"assignees": ["bo"]})
    assert [one["login"] for one in answer.json()["assignees"]] == ["bo"]
    assert client.post(f"{APP}/issues/1/assignees", json={"assignees": ["eve"]}).status_code == 422
    assert client.get(f"{APP}/assignees/bo").status_code == 204
    assert client.get(f"{APP}/assignees/eve").status_code == 404
    assert [issue["number"] for issue in client.get("/issues", who="bo").json()] == [1]
    assert client.delete(f"{APP}/issues/1/assignees", json={"assignees": ["bo"]}).json()["assignees"] == []


def test_a_milestone_counts_its_issues_and_leaves_them_when_deleted(client: HubClient) -> None:
    made = client.post(f"{APP}/milestones", json={"title": "v2", "due_on": "2026-04-01T09:00:00Z"}).json()
    assert (made["number"], made["due_on"]) == (2, "2026-04-01T09:00:00Z")
    issue = _issue(client, milestone=2)
    shown = client.get(f"{APP}/milestones/2").json()
    assert (shown["open_issues"], shown["closed_issues"]) == (1, 0)
    assert client.post(f"{APP}/milestones", json={"title": "v2"}).status_code == 422
    assert client.delete(f"{APP}/milestones/2").status_code == 204
    assert client.get(f"{APP}/issues/{issue['number']}").json()["milestone"] is None


def test_comments_are_written_changed_listed_by_time_and_deleted(client: HubClient) -> None:
    first = client.post(f"{APP}/issues/1/comments", json={"body": "One, @bo"}, who="cyrus")
    assert (first.status_code, first.json()["author_association"]) == (201, "MEMBER")
    client.post(f"{APP}/issues/1/comments", json={"body": "Two"})
    assert [one["body"] for one in client.get(f"{APP}/issues/1/comments").json()] == ["One, @bo", "Two"]
    id = first.json()["id"]
    assert (
        client.patch(f"{APP}/issues/comments/{id}", json={"body": "Changed"}, who="cyrus").json()["body"] == "Changed"
    )
    assert client.patch(f"{APP}/issues/comments/{id}", json={"body": "x"}, who="dee").status_code == 403
    assert client.delete(f"{APP}/issues/comments/{id}").status_code == 204
    assert client.get(f"{APP}/issues/comments/{id}").status_code == 404
    assert client.get(f"{APP}/issues/1").json()["comments"] == 1


def test_a_body_is_answered_in_the_forms_asked_for(client: HubClient) -> None:
    client.patch(f"{APP}/issues/1", json={"body": "**bold** <script>x</script>"})
    full = client.get(f"{APP}/issues/1", headers={"Accept": "application/vnd.github.full+json"}).json()
    assert full["body"].startswith("**bold**")
    assert "<strong>bold</strong>" in full["body_html"]
    assert "<script" not in full["body_html"]
    html = client.get(f"{APP}/issues/1", headers={"Accept": "application/vnd.github.html+json"}).json()
    assert "body" not in html


def test_a_locked_conversation_takes_comments_of_writers_only(client: HubClient) -> None:
    assert client.put(f"{APP}/issues/1/lock", json={"lock_reason": "too heated"}).status_code == 204
    refused = client.post(f"{APP}/issues/1/comments", json={"body": "x"}, who="dee")
    assert (refused.status_code, refused.json()["message"]) == (
        403,
        "Unable to create comment because issue is locked.",
    )
    assert client.post(f"{APP}/issues/1/comments", json={"body": "x"}, who="bo").status_code == 201
    assert client.delete(f"{APP}/issues/1/lock").status_code == 204
    assert client.post(f"{APP}/issues/1/comments", json={"body": "x"}, who="dee").status_code == 201


@pytest.mark.parametrize("place", ["issues/1", "issues/comments/{comment}"])
def test_the_same_reaction_twice_is_one_and_only_its_owner_takes_it_back(client: HubClient, place: str) -> None:
    comment = client.post(f"{APP}/issues/1/comments", json={"body": "x"}).json()["id"]
    address = f"{APP}/{place.format(comment=comment)}/reactions"
    assert [client.post(address, json={"content": "heart"}, who="bo").status_code for _ in range(2)] == [201, 200]
    listed = client.get(address).json()
    assert [(one["user"]["login"], one["content"]) for one in listed] == [("bo", "heart")]
    assert client.delete(f"{address}/{listed[0]['id']}", who="dee").status_code == 403
    assert client.delete(f"{address}/{listed[0]['id']}", who="bo").status_code == 204
    assert client.get(address).json() == []


def test_a_reference_in_a_text_shows_once_in_the_timeline_of_what_it_names(client: HubClient) -> None:
    other = _issue(client, body="nothing yet")
    client.post(f"{APP}/issues/{other['number']}/comments", json={"body": "Like #1, and again #1, not `#2`"})
    client.post(f"{APP}/issues/{other['number']}/comments", json={"body": "As in #1"})
    found = [one for one in client.get(f"{APP}/issues/1/timeline").json() if one["event"] == "cross-referenced"]
    assert [one["source"]["issue"]["number"] for one in found] == [other["number"]]
    assert [one["event"] for one in client.get(f"{APP}/issues/2/timeline").json()] == []
    assert [one["event"] for one in client.get(f"{APP}/issues/{other['number']}/timeline").json()] == [
        "commented",
        "commented",
    ]


def test_sub_issues_have_one_parent_no_circles_and_an_order(client: HubClient) -> None:
    one, two = _issue(client), _issue(client)
    for child in (one, two):
        assert client.post(f"{APP}/issues/1/sub_issues", json={"sub_issue_id": child["id"]}).status_code == 201
    assert client.post(f"{APP}/issues/2/sub_issues", json={"sub_issue_id": one["id"]}).status_code == 422
    parent = client.get(f"{APP}/issues/1").json()
    assert (
        client.post(f"{APP}/issues/{one['number']}/sub_issues", json={"sub_issue_id": parent["id"]}).status_code == 422
    )
    client.patch(f"{APP}/issues/1/sub_issues/priority", json={"sub_issue_id": two["id"], "before_id": one["id"]})
    assert [issue["id"] for issue in client.get(f"{APP}/issues/1/sub_issues").json()] == [two["id"], one["id"]]
    client.patch(f"{APP}/issues/{one['number']}", json={"state": "closed"})
    assert client.get(f"{APP}/issues/1").json()["sub_issues_summary"] == {
        "total": 2,
        "completed": 1,
        "percent_completed": 50,
    }
    assert client.get(f"{APP}/issues/{one['number']}/parent").json()["number"] == 1
    gone = client.request("DELETE", f"{APP}/issues/1/sub_issue", json={"sub_issue_id": two["id"]})
    assert gone.status_code == 200
    assert client.get(f"{APP}/issues/{two['number']}/parent").status_code == 404


def test_pages_are_linked_and_an_answer_is_not_sent_twice(client: HubClient) -> None:
    for _ in range(3):
        _issue(client)
    page = client.get(f"{APP}/issues?per_page=2&state=open")
    assert 'page=2>; rel="next"' in page.headers["Link"]
    assert 'page=2>; rel="last"' in page.headers["Link"]
    last = client.get(page.links["next"]["url"].split("/api/v3")[1])
    assert 'rel="next"' not in last.headers["Link"]
    again = client.get(f"{APP}/issues?per_page=2&state=open", headers={"If-None-Match": page.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", f"{APP}/issues/99999999999999999999", None, 422),
        ("GET", f"{APP}/issues/abc", None, 422),
        ("POST", f"{APP}/issues", b"{", 400),
        ("POST", f"{APP}/issues", b"[]", 400),
        ("POST", f"{APP}/issues", b"{}", 422),
        ("GET", f"{APP}/nothing", None, 404),
        ("PATCH", f"{APP}/issues/1", b'{"state":"done"}', 422),
        ("GET", "/repos/tiny/none/issues", None, 404),
        ("GET", f"{APP}/issues?per_page=-5&page=0", None, 200),
        ("GET", f"{APP}/issues?since=never", None, 422),
    ],
)
def test_bad_requests_are_refused_as_the_vendor_does(
    client: HubClient, method: str, path: str, body: bytes | None, status: int
) -> None:
    answer = client.request(method, path, content=body)
    assert answer.status_code == status, answer.text
