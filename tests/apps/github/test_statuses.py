"""Commit statuses at the REST door: every answer as published."""

from tests.apps.github.conftest import Say
from tests.conformance.github_client import HubClient

APP = "/repos/tiny/app"


def sha_of(say: Say, ref: str = "heads/main") -> str:
    return say("git/get-ref", ref=ref)["object"]["sha"]


def test_the_latest_status_of_each_context_counts(say: Say, client: HubClient) -> None:
    sha = sha_of(say)
    assert client.get(f"{APP}/commits/main/status").json()["state"] == "pending"
    for context, state in (("ci", "failure"), ("lint", "success"), ("ci", "success")):
        made = client.post(
            f"{APP}/statuses/{sha}",
            who="bo",
            json={"state": state, "context": context, "target_url": "https://ci.example/1"},
        )
        assert made.status_code == 201 and made.json()["creator"]["login"] == "bo"
    both = client.get(f"{APP}/commits/heads/main/status").json()
    assert (both["state"], both["sha"], both["total_count"]) == ("success", sha, 2)
    assert [(one["context"], one["state"]) for one in both["statuses"]] == [("lint", "success"), ("ci", "success")]
    page = client.get(f"{APP}/commits/{sha}/statuses?per_page=2")
    assert [one["state"] for one in page.json()] == ["success", "success"] and 'rel="next"' in page.headers["link"]
    client.post(f"{APP}/statuses/{sha}", json={"state": "error", "context": "deploy"})
    assert client.get(f"{APP}/commits/main/status").json()["state"] == "failure"


def test_what_cannot_be_a_status_is_refused_and_nothing_is_written(say: Say, client: HubClient) -> None:
    sha = sha_of(say)
    assert (
        client.post(f"{APP}/statuses/{'0' * 40}", json={"state": "success"})
        .json()["errors"][0]["message"]
        .startswith("No commit found")
    )
    assert client.post(f"{APP}/statuses/{sha}", json={"state": "green"}).status_code == 422
    assert client.post(f"{APP}/statuses/{sha}", json={"state": "success", "description": "x" * 141}).status_code == 422
    assert (
        client.post(f"{APP}/statuses/{sha}", json={"state": "success", "target_url": "javascript:1"}).status_code == 422
    )
    assert client.post(f"{APP}/statuses/{sha}", who="cyrus", json={"state": "success"}).status_code == 404
    assert client.post(f"{APP}/statuses/{sha}", who="eve", json={"state": "success"}).status_code == 404
    assert client.get(f"{APP}/commits/main/status").json()["total_count"] == 0
    assert client.get(f"{APP}/commits/nowhere/status").status_code == 404
