"""Webhooks at the REST door: every answer as published, what is delivered signed, and late when a fault holds it back."""

import hashlib
import hmac
import json
from typing import Any

import orjson
import pytest

from tests.apps.github.ci import Ci
from tests.apps.github.conftest import Say
from tests.conformance.github_client import HubClient
from world.core.settings import Settings
from world.run.host import Host
from world.script.faults import Fault
from world.script.scenario import Script, compile_script

APP = "/repos/tiny/app"
URL = "https://hooks.example/ci"


@pytest.fixture
def ci(host: Host, say: Say) -> Ci:
    return Ci(host, say)


def made(client: HubClient, *events: str, **config: Any) -> dict[str, Any]:
    """A hook."""
    body = {"config": {"url": URL, "content_type": "json", **config}, "events": list(events)}
    return client.post(f"{APP}/hooks", json=body).json()


def deliveries(client: HubClient, hook: dict[str, Any]) -> list[dict[str, Any]]:
    """What was delivered, newest first."""
    return client.get(f"{APP}/hooks/{hook['id']}/deliveries").json()


def test_a_hook_is_made_pinged_changed_and_deleted(ci: Ci, client: HubClient) -> None:
    hook = made(client, "push", secret="s3cret")
    assert hook["config"] == {"content_type": "json", "insecure_ssl": "0", "url": URL, "secret": "********"}
    assert hook["last_response"]["status"] == "unused"
    ci.wait(5)
    assert [one["event"] for one in deliveries(client, hook)] == ["ping"]
    here = f"{APP}/hooks/{hook['id']}"
    assert client.get(here).json()["last_response"] == {"code": 200, "status": "active", "message": "OK"}
    assert client.patch(here, json={"add_events": ["issues"], "remove_events": ["push"], "active": False}).json()[
        "events"
    ] == ["issues"]
    assert client.patch(f"{here}/config", json={"content_type": "form"}).json()["secret"] == "********"
    assert client.get(f"{here}/config").json()["content_type"] == "form"
    assert client.delete(here).status_code == 204 and client.get(here).status_code == 404
    assert client.get(f"{APP}/hooks").json() == []


def test_who_does_not_administer_a_repository_sees_no_hooks_and_bad_ones_are_refused(client: HubClient) -> None:
    assert client.get(f"{APP}/hooks", who="bo").status_code == 404
    made(client, "push")
    for body in (
        {},
        {"config": {"url": "ftp://x"}},
        {"config": {"url": URL}, "events": ["everything"]},
        {"config": {"url": URL}, "name": "irc"},
        {"config": {"url": URL, "content_type": "json"}, "events": ["push"]},
    ):
        assert client.post(f"{APP}/hooks", json=body).status_code == 422
    assert len(client.get(f"{APP}/hooks").json()) == 1


def test_what_is_delivered_is_signed_and_can_be_delivered_again(ci: Ci, client: HubClient) -> None:
    hook = made(client, "push", secret="s3cret")
    sha = ci.push({"a.py": "1\n"}, who="bo", message="Add a")
    ci.wait(5)
    push, _ = deliveries(client, hook)
    whole = client.get(f"{APP}/hooks/{hook['id']}/deliveries/{push['id']}").json()
    payload, headers = whole["request"]["payload"], whole["request"]["headers"]
    assert (payload["after"], payload["ref"], payload["sender"]["login"]) == (sha, "refs/heads/main", "bo")
    assert payload["commits"][0]["message"] == "Add a" and payload["organization"]["login"] == "tiny"
    expected = hmac.new(b"s3cret", orjson.dumps(payload), hashlib.sha256).hexdigest()
    assert headers["X-Hub-Signature-256"] == f"sha256={expected}" and headers["X-GitHub-Event"] == "push"
    assert "s3cret" not in json.dumps(whole)
    assert client.post(f"{APP}/hooks/{hook['id']}/deliveries/{push['id']}/attempts").status_code == 202
    ci.wait(5)
    again = deliveries(client, hook)[0]
    assert (again["guid"], again["redelivery"]) == (push["guid"], True)
    assert (
        client.post(f"{APP}/hooks/{hook['id']}/pings").status_code
        == client.post(f"{APP}/hooks/{hook['id']}/tests").status_code
        == 204
    )
    ci.wait(5)
    assert [one["event"] for one in deliveries(client, hook)[:2]] == ["push", "ping"]
    page = client.get(f"{APP}/hooks/{hook['id']}/deliveries?per_page=2&cursor={again['id']}&status=success").json()
    assert [one["id"] for one in page] == [push["id"], push["id"] - 1]


def test_hooks_hear_of_issues_pull_requests_comments_statuses_and_deployments(
    ci: Ci, client: HubClient, say: Say
) -> None:
    hook = made(client, "*")
    ci.wait(5)
    sha = ci.push({"b.py": "2\n"}, branch="work", who="bo")
    say("issues/create", "bo", title="Broken")
    say("issues/create-comment", "bo", issue_number=3, body="Really")
    say("issues/update", issue_number=3, state="closed")
    pull = client.post(f"{APP}/pulls", who="bo", json={"title": "Work", "head": "work", "base": "main"}).json()
    say("pulls/create-review", pull_number=pull["number"], event="APPROVE")
    say("repos/create-commit-status", sha=sha, state="success")
    say("checks/create", name="smoke", head_sha=sha, conclusion="success")
    deployment = say("repos/create-deployment", ref="work", environment="staging")
    say("repos/create-deployment-status", deployment_id=deployment["id"], state="success")
    ci.wait(60)
    heard = [(one["event"], one["action"]) for one in reversed(deliveries(client, hook))][1:]
    assert heard == [
        ("push", None),
        ("create", None),
        ("issues", "opened"),
        ("issue_comment", "created"),
        ("issues", "closed"),
        ("pull_request", "opened"),
        ("pull_request_review", "submitted"),
        ("status", None),
        ("check_run", "completed"),
        ("deployment", "created"),
        ("deployment_status", "created"),
    ]


def test_a_fault_delays_deliveries_which_then_come_late_and_once(host: Host) -> None:
    script = Script("hooks", host.actor("w").now)
    script.fault(Fault("hooks_late", "github", "delay_event", operations=("github.webhook",)), start="+1s", end="+10m")
    host.create("late", Settings(limits="off"), compile_script(script, horizon="1d"))
    actor = host.actor("late")
    actor.advance(actor.now + 2_000_000)
    who = host.principal("late", "ada", app="github")

    def say(operation: str, **more: Any) -> Any:
        return host.call(
            who, "rest", operation, {"owner": "tiny", "repo": "app", **more}, base_url="http://github.test"
        )

    hook = say("repos/create-webhook", config={"url": URL}, events=["issues"])
    say("issues/create", title="During")
    actor.advance(actor.now + 300_000_000)
    assert say("repos/list-webhook-deliveries", hook_id=hook["id"]) == []
    actor.advance(actor.now + 3_600_000_000)
    late = say("repos/list-webhook-deliveries", hook_id=hook["id"])
    assert [one["event"] for one in late] == ["issues", "ping"]
    issue = say("repos/get-webhook-delivery", hook_id=hook["id"], delivery_id=late[0]["id"])["request"]["payload"][
        "issue"
    ]
    assert issue["created_at"] < "2026-03-02T08:01" < "2026-03-02T08:09" < late[0]["delivered_at"]


def test_deployments_make_environments_and_the_last_success_counts(ci: Ci, client: HubClient) -> None:
    asked = {"ref": "main", "environment": "staging", "payload": {"region": "eu"}}
    one, two = (client.post(f"{APP}/deployments", json=asked).json() for _ in range(2))
    for which in (one, two):
        body = {"state": "success", "environment_url": "https://staging.example", "log_url": "https://ci.example"}
        assert client.post(f"{APP}/deployments/{which['id']}/statuses", json=body).status_code == 201
    assert [row["state"] for row in client.get(f"{APP}/deployments/{one['id']}/statuses").json()] == [
        "inactive",
        "success",
    ]
    last = client.get(f"{APP}/deployments/{two['id']}/statuses").json()[0]
    assert client.get(f"{APP}/deployments/{two['id']}/statuses/{last['id']}").json() == last
    assert [row["id"] for row in client.get(f"{APP}/deployments?environment=staging").json()] == [two["id"], one["id"]]
    assert client.get(f"{APP}/deployments?environment=production").json() == []
    assert client.delete(f"{APP}/deployments/{two['id']}").status_code == 422
    assert (
        client.delete(f"{APP}/deployments/{one['id']}").status_code == 204
        and client.get(f"{APP}/deployments/{one['id']}").status_code == 404
    )
    client.post(f"{APP}/statuses/{one['sha']}", json={"state": "failure", "context": "ci"})
    assert client.post(f"{APP}/deployments", json=asked).status_code == 409
    assert client.post(f"{APP}/deployments", json={**asked, "required_contexts": []}).status_code == 201
    assert client.post(f"{APP}/deployments", who="dee", json=asked).status_code == 404
    rules = {
        "wait_timer": 5,
        "reviewers": [{"type": "User", "id": 102}],
        "deployment_branch_policy": {"protected_branches": True, "custom_branch_policies": False},
    }
    assert len(client.put(f"{APP}/environments/staging", json=rules).json()["protection_rules"]) == 3
    assert client.put(f"{APP}/environments/staging", who="bo", json=rules).status_code == 403
    assert (
        client.get(f"{APP}/environments").json()["total_count"] == 1
        and client.get(f"{APP}/environments/staging").status_code == 200
    )
    assert (
        client.delete(f"{APP}/environments/staging").status_code == 204
        and client.get(f"{APP}/environments/staging").status_code == 404
    )
