"""Workflow runs with the real sandbox: what it says, and what is shown as time goes by."""

import json
import re
import shlex

import pytest

from apps.github.ci import executor, hidden_tests
from tests.apps.github.ci import CI, GREEN, RED, SERVICE, Ci, flow
from tests.apps.github.conftest import Say
from tests.conformance.github_client import HubClient
from world.core.settings import Settings
from world.core.tables import metadata
from world.grading.tables import describe
from world.run.host import Host
from world.run.sealed_rows import ViewRows
from world.sandbox import KINDS, available, find_obstacle, forget, ladder
from world.sandbox import host_tools as sandbox_host
from world.script.faults import Fault
from world.script.scenario import Script, compile_script

pytestmark = pytest.mark.skipif(available() is not None, reason="this host cannot isolate")


@pytest.fixture(params=KINDS)
def each_kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kind of sandbox alone, where the host has it."""
    if find_obstacle(request.param) is not None:
        pytest.skip(f"this host cannot isolate: {find_obstacle(request.param)}")
    monkeypatch.setattr(ladder, "KINDS", (request.param,))


@pytest.fixture
def ci(host: Host, say: Say) -> Ci:
    return Ci(host, say)


def test_a_push_runs_the_tests_and_every_stage_is_seen_at_its_time(ci: Ci) -> None:
    sha = ci.workflow(CI, {"test_count.py": GREEN})
    (run,) = ci.runs()
    assert (run["status"], run["event"], run["head_sha"], run["name"], run["display_title"]) == (
        "queued",
        "push",
        sha,
        "CI",
        "Work",
    )
    assert [job["status"] for job in ci.jobs(run)] == ["queued"]
    ci.wait(10)
    (job,) = ci.jobs(run)
    assert (job["status"], job["conclusion"], job["steps"][0]["status"]) == ("in_progress", None, "in_progress")
    run = ci.done()
    assert (run["status"], run["conclusion"]) == ("completed", "success")
    (job,) = ci.jobs(run)
    assert [step["name"] for step in job["steps"]] == [
        "Set up job",
        "Run actions/checkout@v4",
        "Run actions/setup-python@v5",
        "Unit tests",
        "Post Run actions/setup-python@v5",
        "Post Run actions/checkout@v4",
        "Complete job",
    ]
    text = bytes(ci.say("web/job-log", job_id=job["id"])).decode()
    assert "test_one (test_count.Count.test_one) ... ok" in text and "Ran 1 test in 0.000s" in text
    assert all(re.match(r"2026-03-0\dT\d\d:\d\d:\d\d\.\d{7}Z ", line) for line in text.splitlines())
    assert ci.say("checks/list-for-ref", ref="main")["check_runs"][0]["conclusion"] == "success"


def test_a_red_run_says_where_in_the_files_and_tells_who_pushed(ci: Ci) -> None:
    ci.workflow(CI, {"test_count.py": RED}, who="bo")
    run = ci.done()
    assert run["conclusion"] == "failure"
    (job,) = ci.jobs(run)
    assert [step["conclusion"] for step in job["steps"]][2:5] == ["success", "failure", "success"]
    assert "##[error]Process completed with exit code 1." in ci.log(job)
    notes = ci.say("checks/list-annotations", check_run_id=int(job["check_run_url"].rpartition("/")[2]))
    assert [(note["path"], note["start_line"], note["message"]) for note in notes] == [
        ("test_count.py", 6, "AssertionError: 2 != 3"),
        (".github", 19, "Process completed with exit code 1."),
    ]
    (told,) = ci.say("activity/list-notifications-for-authenticated-user", "bo")
    assert told["reason"] == "ci_activity" and told["subject"]["type"] == "CheckSuite"


def test_a_pull_request_is_run_on_its_merge_and_not_with_conflicts(ci: Ci, client: HubClient) -> None:
    ci.workflow(CI.replace("[push, workflow_dispatch]", "pull_request"))
    ci.push({"only_here.py": "1\n"}, branch="work")
    ci.push({"test_merged.py": GREEN.replace("import unittest", "import unittest\nimport only_here")})
    for head in ("work", "clash"):
        if head == "clash":
            ci.push({"test_merged.py": "clash\n"}, branch="clash")
            ci.push({"test_merged.py": "other\n"})
        assert (
            client.post("/repos/tiny/app/pulls", json={"title": head, "head": head, "base": "main"}).status_code == 201
        )
    ci.wait(300)
    (run,) = ci.runs()
    assert (run["event"], run["head_branch"], run["conclusion"], run["display_title"]) == (
        "pull_request",
        "work",
        "success",
        "work",
    )
    ci.push({"only_here.py": "raise ValueError\n"}, branch="work")
    assert ci.done()["conclusion"] == "failure" and len(ci.runs()) == 2


def test_a_matrix_and_jobs_that_need_others(ci: Ci) -> None:
    ci.workflow("""
on: push
jobs:
  test:
    runs-on: ubuntu-latest
    strategy: {fail-fast: false, matrix: {python-version: ['3.10', '3.11']}}
    steps: [{run: 'test ${{ matrix.python-version }} = 3.11'}]
  never: {needs: test, runs-on: ubuntu-latest, steps: [{run: 'true'}]}
  then: {needs: never, runs-on: ubuntu-latest, steps: [{run: 'true'}]}
  always: {needs: [test, never], if: always(), runs-on: ubuntu-latest, steps: [{run: 'echo ${{ needs.test.result }} ${{ needs.never.result }}'}]}
""")
    run = ci.done()
    jobs = {job["name"]: job for job in ci.jobs(run)}
    assert {name: job["conclusion"] for name, job in jobs.items()} == {
        "test (3.10)": "failure",
        "test (3.11)": "success",
        "never": "skipped",
        "then": "skipped",
        "always": "success",
    }
    assert run["conclusion"] == "failure" and "\nfailure skipped\n" in ci.log(jobs["always"])


def test_steps_by_condition_tolerance_folder_and_commands(ci: Ci) -> None:
    ci.workflow(
        flow(
            "uses: actions/checkout@v4",
            "{name: soft, run: 'exit 3', continue-on-error: true}",
            "{name: where, run: pwd, working-directory: src}",
            "{name: hard, run: 'echo \"::warning file=src/count.py,line=2::slow\"; exit 4'}",
            "{name: skipped, run: 'true'}",
            "{name: cleanup, run: 'echo cleaning', if: failure()}",
            "{name: bash, run: 'false | true', shell: bash, if: always()}",
        )
    )
    run = ci.done()
    (job,) = ci.jobs(run)
    assert {step["name"]: step["conclusion"] for step in job["steps"][2:8]} == {
        "soft": "success",
        "where": "success",
        "hard": "failure",
        "skipped": "skipped",
        "cleanup": "success",
        "bash": "failure",
    }
    log = ci.log(job)
    assert (
        "##[error]Process completed with exit code 3." in log and "/workspace/src\n" in log and "##[warning]slow" in log
    )
    notes = ci.say("checks/list-annotations", check_run_id=int(job["check_run_url"].rpartition("/")[2]))
    assert ("src/count.py", 2, "warning", "slow") in [
        (n["path"], n["start_line"], n["annotation_level"], n["message"]) for n in notes
    ]


def test_a_file_that_cannot_be_read_is_a_failed_run_when_it_is_pushed(ci: Ci) -> None:
    ci.workflow("on: push\njobs:\n  test:\n    runs_on: x\n")
    (run,) = ci.runs()
    assert (run["conclusion"], run["name"], ci.jobs(run)) == ("failure", ".github/workflows/ci.yml", [])
    ci.push({"a.py": ""})
    assert len(ci.runs()) == 1


@pytest.mark.parametrize(
    ("on", "branch", "path", "starts"),
    [
        ("{push: {branches: [main]}}", "main", "a.py", True),
        ("{push: {branches: [main]}}", "work", "a.py", False),
        ("{push: {paths: ['src/**']}}", "main", "src/x.py", True),
        ("{push: {paths: ['src/**']}}", "main", "a.py", False),
        ("{push: {paths-ignore: ['**.md']}}", "main", "b.md", False),
        ("{push: {tags: ['v*']}}", "main", "a.py", False),
        ("push", "work", "a.py", True),
    ],
)
def test_filters_decide_what_a_push_starts(ci: Ci, on: str, branch: str, path: str, starts: bool) -> None:
    ci.workflow(flow("{run: 'true'}", on=on), branch="base")
    ci.say("git/update-ref", ref="heads/main", sha=ci.say("git/get-ref", ref="heads/base")["object"]["sha"])
    before = len(ci.runs())
    ci.push({path: "1\n"}, branch=branch)
    assert len(ci.runs()) == before + starts


def test_newer_runs_replace_older_ones_of_their_group(ci: Ci) -> None:
    ci.workflow(flow("{run: 'true'}", top="concurrency: {group: '${{ github.ref }}', cancel-in-progress: true}\n"))
    ci.wait(12)
    ci.push({"a.py": "[1]\n"})
    assert [run["conclusion"] for run in ci.runs()] == [None, "cancelled"]
    ci.push({"a.py": "[2]\n"}, message="Quiet [skip ci]")
    assert len(ci.runs()) == 2


def test_a_tree_is_run_once_on_a_host_and_says_the_same_in_every_world(
    ci: Ci, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    ci.workflow(CI, {"test_a.py": GREEN + "# once\n"})
    first = ci.log(ci.jobs(ci.done())[0])
    monkeypatch.setattr(executor, "run", None)
    host.create("v", Settings(limits="off"))

    def say(operation: str, who: str = "ada", **arguments: object) -> object:
        fields = host.operation(operation).params.model_fields
        where = {name: value for name, value in (("owner", "tiny"), ("repo", "app")) if name in fields}
        return host.call(
            host.principal("v", who, app="github"),
            "rest",
            operation,
            {**where, **arguments},
            base_url="http://github.test",
        )

    other = Ci(host, say)
    other.world = "v"
    other.workflow(CI, {"test_a.py": GREEN + "# once\n"})
    assert other.log(other.jobs(other.done())[0]) == first


def test_without_a_sandbox_nothing_is_run_and_the_check_says_why(ci: Ci, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_host, "BIN", "/nowhere")
    forget()
    try:
        ci.workflow(CI, {"test_a.py": GREEN + "# never\n"})
        run = ci.done()
    finally:
        forget()
    (check,) = ci.say("checks/list-for-ref", ref="main")["check_runs"]
    assert run["conclusion"] == check["conclusion"] == "cancelled"
    assert "is not installed" in check["output"]["summary"]


def test_while_runs_do_not_start_they_stay_queued_and_start_late(host: Host) -> None:
    script = Script("actions", host.actor("w").now)
    script.fault(Fault("actions", "github", "delay_event", operations=("github.run_start",)), start="+1s", end="+30m")
    host.create("late", Settings(limits="off"), compile_script(script, horizon="1d"))
    host.actor("late").advance(host.actor("late").now + 2_000_000)

    def say(operation: str, who: str = "ada", **arguments: object) -> object:
        fields = host.operation(operation).params.model_fields
        where = {name: value for name, value in (("owner", "tiny"), ("repo", "app")) if name in fields}
        return host.call(
            host.principal("late", who, app="github"),
            "rest",
            operation,
            {**where, **arguments},
            base_url="http://github.test",
        )

    late = Ci(host, say)
    late.world = "late"
    late.workflow(CI, {"test_a.py": GREEN})
    assert late.done(1200)["status"] == "queued"
    assert late.done(3600)["conclusion"] == "success"


@pytest.mark.full
def test_hidden_tests_tell_graders_whether_a_branch_is_fixed(ci: Ci, host: Host) -> None:
    def fixed(ref: str) -> bool:
        tables = describe(metadata())
        return hidden_tests.repo_is_fixed(
            ViewRows(host.store, host.actor("w").world, tables), repo="tiny/app", ref=ref, bug="plus"
        )

    ci.plant()
    ci.push({"serve.py": SERVICE.format(5)})
    ci.push({"serve.py": SERVICE.format(4)}, branch="work")
    ci.wait(5)
    assert (fixed("main"), fixed("work"), fixed("nowhere")) == (False, True, False)


CARRIED = """
on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - {name: write, id: made, run: "mkdir -p bin; printf '#!/bin/sh\\necho tool \\"$@\\"\\n' > bin/tool; chmod +x bin/tool
          \\n echo COLOUR=deep blue >> $GITHUB_ENV\\n printf 'LONG<<END\\na\\nb=c\\nEND\\n' >> $GITHUB_ENV\\n echo GITHUB_JOB=other >> $GITHUB_ENV
          \\n echo $PWD/bin >> $GITHUB_PATH\\n echo \\"word=it's \\\\$HOME\\" >> $GITHUB_OUTPUT\\n echo '# All *well*' >> $GITHUB_STEP_SUMMARY
          \\n echo now ${COLOUR:-unset}"}
      - {name: read, env: {COLOURED: "${{ steps.made.outputs.word }}"}, run: "tool $COLOUR; echo $GITHUB_JOB
          \\n echo \\"$LONG\\" | tr '\\n' '|'; echo; wc -c < $GITHUB_ENV; printenv COLOURED; echo 'out: ${{ steps.made.outputs.none }}.'"}
      - {name: fill, run: "cat <<'END'\\n${{ steps.made.outputs.word }}\\nEND"}
      - {name: own, env: {COLOUR: red}, run: "echo $COLOUR; nothing-of-the-kind"}
"""


@pytest.mark.usefixtures("each_kind")
def test_what_a_step_leaves_the_next_ones_have(ci: Ci) -> None:
    ci.workflow(CARRIED)
    run = ci.done()
    (job,) = ci.jobs(run)
    assert {step["name"]: step["conclusion"] for step in job["steps"][1:5]} == {
        "write": "success",
        "read": "success",
        "fill": "success",
        "own": "failure",
    }, ci.log(job)
    log = ci.log(job)
    for told in ("now unset", "tool deep blue", "test", "a|b=c|", "0", "it's $HOME", "out: .", "red"):
        assert f"\n{told}\n" in log, (told, log)
    assert "line 1: nothing-of-the-kind: command not found" in log and "_runner" not in log
    assert ci.say("web/run-summaries", run_id=run["id"]) == [
        {"job": job["name"], "job_id": job["id"], "body": "# All *well*\n"}
    ]


@pytest.mark.full
@pytest.mark.parametrize("left", ["no sign", "A<<END\nnever ended", "=empty"])
def test_a_step_that_leaves_what_cannot_be_read_has_failed(ci: Ci, left: str) -> None:
    ci.workflow(
        flow(
            f"{{name: bad, run: {json.dumps(f'printf %s {shlex.quote(left)} >> $GITHUB_ENV')}}}",
            "{name: next, run: 'true'}",
        )
    )
    (job,) = ci.jobs(ci.done())
    assert [step["conclusion"] for step in job["steps"][1:3]] == [
        "failure",
        "skipped",
    ] and "##[error]Invalid" in ci.log(job)
