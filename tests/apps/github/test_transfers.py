"""Transferred and pinned issues, as the buttons of an issue's page make them, and what an old number leads to."""

from collections.abc import Mapping
from typing import Any

import pytest

from apps.github.rest.request_builder import wire
from apps.github.rest.routes import BY_OPERATION
from tests.apps.github.conftest import Say
from tests.conformance.github_client import HubClient
from world.core.errors import OperationError

OLD = {"owner": "tiny", "repo": "app", "issue_number": 1}
GIVEN: Mapping[str, Mapping[str, Any]] = {
    "issues/add-assignees": {"assignees": ["ada"]},
    "issues/remove-assignees": {"assignees": ["ada"]},
    "issues/check-user-can-be-assigned-to-issue": {"assignee": "ada"},
    "issues/create-comment": {"body": "Here too"},
    "issues/list-comments": {"per_page": 5},
    "issues/add-blocked-by-dependency": {"issue_id": 2},
    "issues/remove-dependency-blocked-by": {"issue_id": 2},
    "issues/add-labels": {"labels": ["bug"]},
    "issues/set-labels": {"labels": ["bug"]},
    "issues/remove-label": {"name": "good first issue"},
    "issues/remove-sub-issue": {"sub_issue_id": 2},
    "issues/add-sub-issue": {"sub_issue_id": 2},
    "issues/reprioritize-sub-issue": {"sub_issue_id": 2, "after_id": 3},
    "reactions/create-for-issue": {"content": "+1"},
    "reactions/delete-for-issue": {"reaction_id": 1},
}
OF_AN_ISSUE = [name for name, line in BY_OPERATION.items() if "{issue_number}" in line.path]


@pytest.fixture
def moved(say: Say) -> None:
    """The first issue of tiny/app has gone to tiny/secret."""
    assert say("web/issues/transfer", **OLD, target="secret") == {"repo": "secret", "number": 1}


@pytest.mark.usefixtures("moved")
@pytest.mark.parametrize("operation", OF_AN_ISSUE)
def test_every_address_below_an_old_number_leads_to_the_same_one_below_the_new(
    client: HubClient, operation: str
) -> None:
    asked = wire(operation, {**OLD, **GIVEN.get(operation, {})})
    path = asked.path.removeprefix("/api/v3")
    answer = client.request(asked.method, path, params=asked.query or None, json=asked.json)
    below = path.removeprefix("/repos/tiny/app/issues/1") + ("?per_page=5" if asked.query else "")
    place = f"http://127.0.0.1/github/api/v3/repositories/503/issues/1{below}"
    assert (answer.status_code, answer.headers["location"], answer.json()["url"]) == (301, place, place)


@pytest.mark.usefixtures("moved")
def test_a_redirect_can_be_followed(client: HubClient) -> None:
    client.post("/repos/tiny/secret/issues/1/comments", json={"body": "Not ours"})
    place = client.get("/repos/tiny/app/issues/1/comments").headers["location"]
    assert [one["body"] for one in client.get(place.partition("/api/v3")[2]).json()] == ["Not ours"]


# observed: github.com/MarcusJellinghaus/mcp-workspace/issues/256 ("gh issue view" of a transferred issue)
@pytest.mark.usefixtures("moved")
def test_graphql_finds_a_transferred_issue_by_its_id_and_new_number_alone(client: HubClient) -> None:
    old = 'repository(owner: "tiny", name: "app") { issueOrPullRequest(number: 1) { __typename } }'
    [problem] = client.query(f"{{ {old} }}").json()["errors"]
    assert problem["message"] == "Could not resolve to an issue or pull request with the number of 1."
    id = client.get("/repos/tiny/secret/issues/1").json()["node_id"]
    shown = "node(id: $id) { ... on Issue { number repository { name } } }"
    found = client.query(f"query($id: ID!) {{ {shown} }}", id=id).json()["data"]["node"]
    assert found == {"number": 1, "repository": {"name": "secret"}}


def test_an_issue_is_offered_the_repositories_that_it_may_go_to(say: Say) -> None:
    say("repos/create-in-org", org="tiny", name="ops", private=True)
    say("repos/create-in-org", org="tiny", name="old", private=True)
    say("repos/update", owner="tiny", repo="old", archived=True)
    offered = say("web/issues/list-transfer-targets")
    assert [one["name"] for one in offered] == ["ops", "secret"]  # site is public, old is archived
    assert [one["name"] for one in say("web/issues/list-transfer-targets", repo="site")] == [
        "app",
        "ops",
        "secret",
    ]
    assert say("web/issues/list-transfer-targets", "bo") == []
    with pytest.raises(OperationError, match="forbidden"):
        say("web/issues/transfer", "bo", **OLD, target="site")


def test_pull_requests_are_neither_transferred_nor_pinned(say: Say) -> None:
    say("pulls/create", "bo", title="Tuples", head="feature", base="main")
    for operation, more in (("transfer", {"target": "secret"}), ("pin", {}), ("unpin", {})):
        with pytest.raises(OperationError, match="not_found"):
            say(f"web/issues/{operation}", issue_number=3, **more)


def test_issues_are_pinned_and_unpinned_by_who_may_write(say: Say) -> None:
    say("web/issues/pin", "bo", issue_number=2)
    say("web/issues/pin", "bo", issue_number=1)
    assert [one["number"] for one in say("web/issues/list-pinned", "dee")] == [2, 1]
    for who, operation, code in (("bo", "pin", "unprocessable"), ("cyrus", "unpin", "forbidden")):
        with pytest.raises(OperationError, match=code):
            say(f"web/issues/{operation}", who, issue_number=1)
    say("web/issues/unpin", issue_number=2)
    assert [one["number"] for one in say("web/issues/list-pinned", "dee")] == [1]


def test_a_name_in_another_case_is_the_same_name_in_every_alphabet(client: HubClient) -> None:
    client.post("/repos/tiny/app/labels", json={"name": "Überfällig", "color": "b60205"})
    client.post("/repos/tiny/app/milestones", json={"title": "Öffnung"})
    again = client.post("/repos/tiny/app/labels", json={"name": "ÜBERFÄLLIG", "color": "0e8a16"})
    assert again.json()["errors"][0]["code"] == "already_exists"
    assert client.post("/repos/tiny/app/labels", json={"name": "Uberfallig"}).status_code == 201  # accents count
    made = client.post("/repos/tiny/app/issues", json={"title": "Late", "labels": ["überfällig"], "milestone": 2})
    assert [one["name"] for one in made.json()["labels"]] == ["Überfällig"]
    assert client.get("/repos/tiny/app/labels/ÜBERFÄLLIG").json()["color"] == "b60205"
    for path in ("/repos/tiny/app/issues?labels=ÜBERFÄLLIG", "/issues?filter=all&labels=überfällig"):
        assert [one["title"] for one in client.get(path).json()] == ["Late"], path
    for text in ("label:überFÄLLIG", "milestone:öFFNUNG"):
        assert client.get("/search/issues", params={"q": text}).json()["total_count"] == 1, text
    listed = 'repository(owner: "tiny", name: "app") { issues(labels: ["ÜBERFÄLLIG"]) { totalCount } }'
    assert client.query(f"{{ {listed} }}").json()["data"]["repository"]["issues"] == {"totalCount": 1}
