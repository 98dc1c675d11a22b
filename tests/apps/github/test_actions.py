"""The REST door of workflows, runs and jobs: every answer as published."""

import io
import zipfile

import pytest

from apps.github.ci import run_lifecycle
from apps.github.ci.executor import JobResult
from apps.github.git.store import TooMuchWork
from tests.apps.github.ci import CI, GREEN, RED, Ci
from tests.apps.github.conftest import Say
from tests.conformance.github_client import HubClient
from world.run.failures import list_failures
from world.run.host import Host
from world.sandbox import available

pytestmark = pytest.mark.skipif(available() is not None, reason="this host cannot isolate")
APP = "/repos/tiny/app"


@pytest.fixture
def ci(host: Host, say: Say) -> Ci:
    return Ci(host, say)


def test_workflows_are_listed_read_switched_off_and_on(ci: Ci, client: HubClient) -> None:
    ci.workflow(CI)
    (row,) = client.get(f"{APP}/actions/workflows").json()["workflows"]
    assert (row["name"], row["path"], row["state"]) == ("CI", ".github/workflows/ci.yml", "active")
    assert (
        client.get(f"{APP}/actions/workflows/ci.yml").json()
        == client.get(f"{APP}/actions/workflows/{row['id']}").json()
        == row
    )
    assert client.put(f"{APP}/actions/workflows/ci.yml/disable").status_code == 204
    assert client.get(f"{APP}/actions/workflows/ci.yml").json()["state"] == "disabled_manually"
    ci.push({"a.py": ""})
    assert len(ci.runs()) == 1
    assert client.put(f"{APP}/actions/workflows/ci.yml/enable").status_code == 204
    assert client.put(f"{APP}/actions/workflows/ci.yml/enable", who="dee").status_code == 403
    assert client.get(f"{APP}/actions/workflows/nightly.yml").status_code == 404


def test_a_run_by_hand_takes_inputs_and_says_which_run_it_is(ci: Ci, client: HubClient) -> None:
    inputs = "on:\n  workflow_dispatch:\n    inputs:\n      who: {required: true}\n      size: {default: 3}"
    text = CI.replace("on: [push, workflow_dispatch]", inputs)
    ci.workflow(
        text.replace(
            "python -m unittest -v", "echo \"for ${{ inputs.who }} $SIZE\"\n        env: {SIZE: '${{ inputs.size }}'}"
        )
    )
    assert ci.runs() == []
    asked = {"ref": "main", "inputs": {"who": "Dee"}}
    assert client.post(f"{APP}/actions/workflows/ci.yml/dispatches", json=asked).status_code == 204
    told = client.post(f"{APP}/actions/workflows/ci.yml/dispatches", json={**asked, "return_run_details": True}).json()
    run = client.get(f"{APP}/actions/runs/{told['workflow_run_id']}").json()
    assert (run["event"], run["run_number"], run["status"]) == ("workflow_dispatch", 2, "queued")
    ci.wait(300)
    assert "for Dee 3\n" in ci.log(ci.jobs(run)[0])
    for wrong, why in (({}, "not provided"), ({"who": "x", "more": 1}, "Unexpected inputs")):
        answer = client.post(f"{APP}/actions/workflows/ci.yml/dispatches", json={"ref": "main", "inputs": wrong})
        assert answer.status_code == 422 and why in answer.json()["message"]
    assert client.post(f"{APP}/actions/workflows/ci.yml/dispatches", json={"ref": "nowhere"}).status_code == 422


def test_runs_are_filtered_by_what_they_are(ci: Ci, client: HubClient) -> None:
    sha = ci.workflow(CI, {"test_a.py": GREEN})
    ci.push({"test_a.py": RED}, branch="work", who="bo")
    ci.wait(300)

    def found(query: str) -> list[str]:
        return [run["head_branch"] for run in client.get(f"{APP}/actions/runs?{query}").json()["workflow_runs"]]

    assert found("") == ["work", "main"] and found("branch=main") == ["main"] and found("status=failure") == ["work"]
    assert found("actor=bo") == ["work"] and found(f"head_sha={sha}") == ["main"] and found("event=pull_request") == []
    assert found("created=%3E%3D2026-03-01") == ["work", "main"] and found("created=2026-01-01..2026-02-01") == []
    assert client.get(f"{APP}/actions/runs?created=soon").status_code == 422
    assert len(client.get(f"{APP}/actions/workflows/ci.yml/runs?per_page=1").json()["workflow_runs"]) == 1


def test_a_failed_run_is_run_again_and_both_attempts_are_kept(ci: Ci, client: HubClient) -> None:
    more = (
        "  lint: {runs-on: ubuntu-latest, steps: [{run: 'true'}]}\n  after: {needs: test, runs-on: ubuntu-latest,"
        " steps: [{run: 'true'}]}\n"
    )
    ci.workflow(CI + more, {"test_a.py": RED})
    run = ci.done()
    assert client.post(f"{APP}/actions/runs/{run['id']}/rerun-failed-jobs").status_code == 201
    assert client.post(f"{APP}/actions/runs/{run['id']}/rerun").status_code == 403
    again = client.get(f"{APP}/actions/runs/{run['id']}").json()
    assert (again["run_attempt"], again["status"], again["conclusion"]) == (2, "queued", None)
    ci.wait(400)
    jobs = client.get(f"{APP}/actions/runs/{run['id']}/jobs").json()["jobs"]
    assert {job["name"]: (job["run_attempt"], job["conclusion"]) for job in jobs} == {
        "lint": (2, "success"),
        "test": (2, "failure"),
        "after": (2, "skipped"),
    }
    lint = [
        job
        for job in client.get(f"{APP}/actions/runs/{run['id']}/jobs?filter=all").json()["jobs"]
        if job["name"] == "lint"
    ]
    assert len(lint) == 2 and lint[0]["started_at"] == lint[1]["started_at"]
    first = client.get(f"{APP}/actions/runs/{run['id']}/attempts/1").json()
    assert (first["run_attempt"], first["conclusion"]) == (1, "failure")
    assert client.get(f"{APP}/actions/runs/{run['id']}/attempts/1/jobs").json()["total_count"] == 3
    assert client.get(f"{APP}/actions/runs/{run['id']}/jobs?filter=all").json()["total_count"] == 6
    assert client.get(f"{APP}/actions/runs/{run['id']}/attempts/3").status_code == 404


def test_a_run_is_cancelled_and_nothing_more_is_told_of_it(ci: Ci, client: HubClient) -> None:
    ci.workflow(CI, {"test_a.py": RED})
    (run,) = ci.runs()
    ci.wait(12)
    assert client.post(f"{APP}/actions/runs/{run['id']}/cancel").status_code == 202
    ci.wait(600)
    (run,) = ci.runs()
    assert run["conclusion"] == "cancelled" and ci.jobs(run)[0]["conclusion"] == "cancelled"
    assert client.post(f"{APP}/actions/runs/{run['id']}/cancel").status_code == 409
    assert client.get(f"{APP}/actions/jobs/{ci.jobs(run)[0]['id']}/logs").status_code == 404
    assert client.delete(f"{APP}/actions/runs/{run['id']}", who="dee").status_code == 403
    assert client.delete(f"{APP}/actions/runs/{run['id']}").status_code == 204
    assert client.get(f"{APP}/actions/runs/{run['id']}").status_code == 404
    assert client.get(f"{APP}/commits/main/check-runs").json()["total_count"] == 0


def test_logs_are_at_an_address_of_ours(ci: Ci, client: HubClient) -> None:
    ci.workflow(CI, {"test_a.py": GREEN})
    run = ci.done()
    (job,) = client.get(f"{APP}/actions/runs/{run['id']}/jobs").json()["jobs"]
    assert client.get(f"{APP}/actions/jobs/{job['id']}").json() == job
    sent = client.get(f"{APP}/actions/jobs/{job['id']}/logs")
    assert sent.status_code == 302
    assert "Ran 1 test" in client.http.get(sent.headers["location"]).text
    zipped = client.http.get(client.get(f"{APP}/actions/runs/{run['id']}/logs").headers["location"]).content
    logs = zipfile.ZipFile(io.BytesIO(zipped))
    names = [f"test/{step['number']}_{step['name'].replace('/', '')}.txt" for step in job["steps"]]
    assert logs.namelist() == ["0_test.txt", *names] and "test/4_Unit tests.txt" in names
    assert b"".join(map(logs.read, names)) == logs.read("0_test.txt") and b"Ran 1 test" in logs.read(
        "test/4_Unit tests.txt"
    )
    assert client.get(f"{APP}/actions/runs/{run['id']}/attempts/1/logs").status_code == 302
    assert client.get(f"{APP}/actions/runs/{run['id']}/timing").json()["run_duration_ms"] > 40_000
    assert client.get(f"{APP}/actions/workflows/ci.yml/timing").json()["billable"]["UBUNTU"]["total_ms"] > 40_000
    assert client.get(f"{APP}/actions/runs/{run['id']}/artifacts").json() == {"total_count": 0, "artifacts": []}
    assert client.delete(f"{APP}/actions/runs/{run['id']}/logs").status_code == 204
    assert client.get(f"{APP}/actions/jobs/{job['id']}/logs").status_code == 404


def test_an_event_from_outside_starts_what_waits_for_it(ci: Ci, client: HubClient) -> None:
    ci.workflow(
        CI.replace("[push, workflow_dispatch]", "{repository_dispatch: {types: [deploy]}}").replace(
            "python -m unittest -v", "echo to ${{ github.event.client_payload.env }}"
        )
    )
    for name in ("deploy", "other"):
        assert (
            client.post(
                f"{APP}/dispatches", json={"event_type": name, "client_payload": {"env": "staging"}}
            ).status_code
            == 204
        )
    (run,) = ci.runs()
    assert run["display_title"] == "deploy" and run["event"] == "repository_dispatch"
    ci.wait(300)
    assert "to staging\n" in ci.log(ci.jobs(run)[0])


def test_variables_are_read_by_workflows_and_secrets_by_nobody(ci: Ci, client: HubClient) -> None:
    assert client.post(f"{APP}/actions/variables", json={"name": "region", "value": "eu"}).status_code == 201
    assert client.post(f"{APP}/actions/variables", json={"name": "REGION", "value": "eu"}).status_code == 409
    key = client.get(f"{APP}/actions/secrets/public-key").json()
    sealed = {"encrypted_value": "c2VhbGVk", "key_id": key["key_id"]}
    assert client.put(f"{APP}/actions/secrets/TOKEN", json=sealed).status_code == 201
    assert client.put(f"{APP}/actions/secrets/TOKEN", json=sealed).status_code == 204
    assert client.put(f"{APP}/actions/secrets/TOKEN", json={**sealed, "key_id": "1"}).status_code == 422
    assert [one["name"] for one in client.get(f"{APP}/actions/secrets").json()["secrets"]] == ["TOKEN"]
    assert (
        client.get(f"{APP}/actions/secrets/TOKEN").status_code == 200
        and client.get(f"{APP}/actions/secrets", who="dee").status_code == 403
    )
    ci.workflow(CI.replace("python -m unittest -v", 'echo "[${{ vars.REGION }}] [${{ secrets.TOKEN }}]"'))
    assert client.patch(f"{APP}/actions/variables/REGION", json={"name": "PLACE", "value": "us"}).status_code == 204
    assert client.get(f"{APP}/actions/variables").json()["variables"][0]["name"] == "PLACE"
    ci.wait(300)
    assert "[eu] []\n" in ci.log(ci.jobs(ci.runs()[0])[0])
    assert (
        client.delete(f"{APP}/actions/variables/PLACE").status_code == 204
        and client.get(f"{APP}/actions/variables/PLACE").status_code == 404
    )
    assert client.delete(f"{APP}/actions/secrets/TOKEN").status_code == 204


@pytest.mark.parametrize("place", ["begin", "finish_job"])
def test_a_run_that_cannot_go_on_has_failed(host: Host, say: Say, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError(place)

    ci = Ci(host, say)
    ci.workflow(CI, {"test_count.py": GREEN})
    monkeypatch.setattr(Host, "strict", False)
    monkeypatch.setattr(run_lifecycle, "_advance" if place == "begin" else "find_outcome", fail)
    monkeypatch.setattr(run_lifecycle, "run_job", lambda *_: JobResult("success", []))
    run = ci.done()
    assert (run["status"], run["conclusion"]) == ("completed", "failure")
    assert {job["conclusion"] for job in ci.jobs(run)} == {"failure"}
    assert ci.say("checks/list-for-ref", ref="main")["check_runs"][0]["conclusion"] == "failure"
    assert [one.cause for one in list_failures(host.actors["w"].bound)] == [place]


def test_a_job_whose_files_take_too_much_room_fails(host: Host, say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    ci = Ci(host, say)
    ci.workflow(CI, {"test_count.py": GREEN})

    def fail(*_: object) -> None:
        raise TooMuchWork

    monkeypatch.setattr(run_lifecycle, "run_job", fail)
    run = ci.done()
    assert run["conclusion"] == "failure"
    assert ci.say("checks/list-for-ref", ref="main")["check_runs"][0]["output"]["title"] == "No space left on device"
