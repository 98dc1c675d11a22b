"""Checks made by hand, at the REST door: every answer as published."""

from typing import Any

import pytest

from apps.github.domain.commit_status import checks_of
from apps.github.domain.context import GithubContext
from tests.apps.github.conftest import Say
from tests.conformance.github_client import HubClient
from world.core.principal import system
from world.run.host import Host

APP = "/repos/tiny/app"
NOTE = {"path": "src/count.py", "start_line": 2, "end_line": 2, "annotation_level": "warning", "message": "Slow"}


@pytest.fixture
def sha(say: Say) -> str:
    return say("git/get-ref", ref="heads/main")["object"]["sha"]


@pytest.fixture
def made(client: HubClient, sha: str) -> dict[str, Any]:
    return client.post(f"{APP}/check-runs", who="bo", json={"name": "smoke", "head_sha": sha}).json()


def test_a_check_is_made_changed_and_read(client: HubClient, sha: str, made: dict[str, Any]) -> None:
    assert (made["status"], made["conclusion"], made["app"]["slug"], made["head_sha"]) == ("queued", None, "bo", sha)
    output = {"title": "Smoke", "summary": "*fine*", "annotations": [NOTE]}
    here = f"{APP}/check-runs/{made['id']}"
    assert (
        client.patch(here, who="bo", json={"status": "in_progress", "output": output}).json()["status"] == "in_progress"
    )
    done = client.patch(here, who="bo", json={"conclusion": "success", "output": output}).json()
    assert (done["status"], done["conclusion"], done["output"]["annotations_count"]) == ("completed", "success", 2)
    assert client.get(here).json() == done
    (first, _) = client.get(f"{here}/annotations").json()
    assert (first["path"], first["message"]) == ("src/count.py", "Slow") and first["blob_href"].endswith(
        f"/blob/{sha}/src/count.py"
    )
    suite = client.get(f"{APP}/check-suites/{done['check_suite']['id']}").json()
    assert (suite["status"], suite["conclusion"], suite["latest_check_runs_count"]) == ("completed", "success", 1)


def test_a_completed_check_needs_a_conclusion_and_a_change_its_maker(
    client: HubClient, sha: str, made: dict[str, Any]
) -> None:
    here = f"{APP}/check-runs/{made['id']}"
    assert "conclusion" in client.patch(here, who="bo", json={"status": "completed"}).json()["message"]
    assert client.patch(here, who="ada", json={"conclusion": "success"}).status_code == 403
    assert (
        client.post(f"{APP}/check-runs", json={"name": "x", "head_sha": sha, "status": "completed"}).status_code == 422
    )
    assert client.post(f"{APP}/check-runs", json={"name": "x", "head_sha": "0" * 40}).status_code == 422
    assert (
        client.post(f"{APP}/check-runs", json={"name": "x", "head_sha": sha, "output": {"title": "x"}}).status_code
        == 422
    )
    many = {"title": "x", "summary": "x", "annotations": [NOTE] * 51}
    assert client.post(f"{APP}/check-runs", json={"name": "x", "head_sha": sha, "output": many}).status_code == 422
    assert client.post(f"{APP}/check-runs", who="dee", json={"name": "x", "head_sha": sha}).status_code == 404
    assert client.get(f"{APP}/commits/main/check-runs").json()["total_count"] == 1


def test_lists_show_the_latest_of_each_name(client: HubClient, sha: str, made: dict[str, Any]) -> None:
    again = client.post(
        f"{APP}/check-runs", who="bo", json={"name": "smoke", "head_sha": sha, "conclusion": "failure"}
    ).json()
    assert [one["id"] for one in client.get(f"{APP}/commits/main/check-runs").json()["check_runs"]] == [again["id"]]
    assert client.get(f"{APP}/commits/{sha}/check-runs?filter=all").json()["total_count"] == 2
    assert client.get(f"{APP}/commits/{sha}/check-runs?status=queued&filter=all").json()["total_count"] == 1
    assert client.get(f"{APP}/commits/{sha}/check-runs?check_name=other").json()["total_count"] == 0
    (suite,) = client.get(f"{APP}/commits/heads/main/check-suites").json()["check_suites"]
    assert suite["conclusion"] == "failure"
    assert client.get(f"{APP}/check-suites/{suite['id']}/check-runs").json()["check_runs"][0]["id"] == again["id"]
    assert client.post(f"{APP}/check-suites", who="bo", json={"head_sha": sha}).json()["id"] == suite["id"]
    assert client.post(f"{APP}/check-suites/{suite['id']}/rerequest").status_code == 201
    assert client.get(f"{APP}/check-suites/{suite['id']}").json()["status"] == "queued"
    assert client.post(f"{APP}/check-runs/{again['id']}/rerequest").status_code == 201
    wanted = {"auto_trigger_checks": [{"app_id": 15368, "setting": False}]}
    assert client.patch(f"{APP}/check-suites/preferences", json=wanted).json()["preferences"] == wanted
    assert client.get(f"{APP}/check-runs/99").status_code == 404


def test_checks_and_statuses_are_read_together(host: Host, client: HubClient, sha: str, made: dict[str, Any]) -> None:
    client.post(f"{APP}/statuses/{sha}", json={"state": "error", "context": "ci"})
    client.post(f"{APP}/check-runs", json={"name": "lint", "head_sha": sha, "conclusion": "neutral"})
    actor = host.actor("w")
    with actor.events.step("test") as call:
        context = GithubContext(actor.events.for_app(call, "github"))
        repo = context.repo_by_id(501)
        assert repo is not None and system("w", "github").person.startswith("system:")
        assert checks_of(context, repo, sha) == {"ci": "error", "smoke": "pending", "lint": "neutral"}
