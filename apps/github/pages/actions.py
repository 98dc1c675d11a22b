"""Pages of workflow runs: the list with its filters, one run with its jobs, one job with the log of each step."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import Response

from apps.github.pages.code import around, see
from apps.github.pages.history import page_number
from apps.github.pages.ui import pages
from world.core.json_types import JsonObject
from world.web import View
from world.web.pages import PageContext

PER_PAGE = 25
STATES = ("success", "failure", "cancelled", "skipped", "in_progress", "queued", "timed_out", "action_required")
EVENTS = ("push", "pull_request", "schedule", "workflow_dispatch", "repository_dispatch", "release")
FILTERS = ("branch", "actor", "event", "status")
LINE = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z (.*)")
MARK = re.compile(r"##\[(\w+)\](.*)|\[command\](.*)")
OPENINGS = ("##[group]Run ", "Post job cleanup.", "Cleaning up orphan processes")
COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
MOST_LINES = 5_000


@pages.page("/{owner}/{repo}/actions", template="actions.html", free=("overlay",))
def actions(view: View, owner: str, repo: str) -> JsonObject:
    """All runs of a repository."""
    return _runs(view, owner, repo, None)


@pages.page("/{owner}/{repo}/actions/workflows/{file}", template="actions.html", free=("overlay",))
def workflow(view: View, owner: str, repo: str, file: str) -> JsonObject:
    """The runs of one workflow."""
    return _runs(view, owner, repo, file)


def _runs(view: View, owner: str, repo: str, file: str | None) -> JsonObject:
    found = around(view, owner, repo) | {"tab": "actions"}
    here = {"owner": owner, "repo": repo}
    asked = {name: value for name in FILTERS if (value := view.query.get(name))} | {
        "per_page": PER_PAGE,
        "page": page_number(view),
    }
    if file is None:
        listed = view.call("actions/list-workflow-runs-for-repo", **here, **asked)
    else:
        listed = view.call("actions/list-workflow-runs", **here, workflow_id=file, **asked)
    flows = view.read("actions/list-repo-workflows", **here, per_page=100)["workflows"]
    chosen = view.read("actions/get-workflow", **here, workflow_id=file) if file else None
    people = view.attempt("issues/list-assignees", **here, per_page=100) or []
    return found | {
        "flows": flows,
        "flow": chosen,
        "file_of": lambda one: one["path"].rpartition("/")[2],
        "runs": listed["workflow_runs"],
        "total": listed["total_count"],
        "page": asked["page"],
        "page_count": -(-listed["total_count"] // PER_PAGE),
        "states": STATES,
        "events": EVENTS,
        "people": people,
        "filters": {name: view.query.get(name) for name in FILTERS},
        "by_hand": _inputs(view, here, chosen),
        "title": f"{chosen['name'] if chosen else 'Workflow runs'} · {found['full_name']}",
    }


def _inputs(view: View, here: dict[str, str], flow: Mapping[str, object] | None) -> bool:
    """Whether the text of a workflow suggests a manual trigger."""
    if flow is None or flow["state"] != "active":
        return False
    file = view.attempt("repos/get-content", **here, path=flow["path"], mediaType="raw")
    return file is not None and b"workflow_dispatch" in file


@pages.page("/{owner}/{repo}/actions/runs/{run_id:int}", template="run.html")
def run(view: View, owner: str, repo: str, run_id: int) -> PageContext:
    """Show one run: its jobs, their dependencies, and annotations."""
    found = around(view, owner, repo) | {"tab": "actions"}
    shown, jobs = _run(view, owner, repo, run_id, primary=True)
    title = f"{shown['display_title']} · {found['full_name']}@{shown['head_sha'][:7]}"
    summaries = view.attempt("web/run-summaries", owner=owner, repo=repo, run_id=run_id) or []
    return found | {
        "run": shown,
        "jobs": jobs,
        "job": None,
        "notes": _notes(view, owner, repo, jobs),
        "summaries": summaries,
        "title": title,
    }


@pages.page("/{owner}/{repo}/actions/runs/{run_id:int}/attempts/{attempt:int}", template="run.html")
def earlier(view: View, owner: str, repo: str, run_id: int, attempt: int) -> JsonObject | Response:
    """An earlier attempt of a run."""
    found: dict[str, Any] = around(view, owner, repo) | {"tab": "actions"}
    here = {"owner": owner, "repo": repo, "run_id": run_id}
    shown = view.call("actions/get-workflow-run-attempt", **here, attempt_number=attempt)
    if shown["run_attempt"] == view.read("actions/get-workflow-run", **here)["run_attempt"]:
        return see(found["at"](f"/actions/runs/{run_id}"))
    jobs = view.read("actions/list-jobs-for-workflow-run-attempt", **here, attempt_number=attempt, per_page=100)["jobs"]
    title = f"{shown['display_title']} · {found['full_name']}"
    return found | {
        "run": shown,
        "jobs": jobs,
        "job": None,
        "notes": _notes(view, owner, repo, jobs),
        "summaries": [],
        "title": title,
    }


def _run(
    view: View, owner: str, repo: str, run_id: int, *, primary: bool
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    here = {"owner": owner, "repo": repo, "run_id": run_id}
    shown = view.call("actions/get-workflow-run", **here) if primary else view.read("actions/get-workflow-run", **here)
    return shown, view.read("actions/list-jobs-for-workflow-run", **here, per_page=100)["jobs"]


def _notes(view: View, owner: str, repo: str, jobs: list[dict[str, Any]]) -> list[tuple[JsonObject, JsonObject]]:
    """Return the annotations of all jobs, each with its job."""
    return [
        (job, note)
        for job in jobs
        for note in view.attempt(
            "checks/list-annotations", owner=owner, repo=repo, check_run_id=int(job["check_run_url"].rpartition("/")[2])
        )
        or []
    ]


@pages.page("/{owner}/{repo}/actions/runs/{run_id:int}/job/{job_id:int}", template="job.html")
def job(view: View, owner: str, repo: str, run_id: int, job_id: int) -> PageContext:
    """One job with its steps and their logs."""
    found = around(view, owner, repo) | {"tab": "actions"}
    one = view.call("actions/get-job-for-workflow-run", owner=owner, repo=repo, job_id=job_id)
    shown, jobs = _run(view, owner, repo, run_id, primary=False)
    log = view.attempt("web/job-log", owner=owner, repo=repo, job_id=job_id)
    text = log.decode() if log else ""
    return found | {
        "run": shown,
        "jobs": jobs,
        "job": one,
        "steps": split_log(one["steps"], text),
        "words": view.query.get("q", ""),
        "times": view.query.get("times") == "1",
        "logged": bool(text),
        "title": f"{one['name']} · {shown['display_title']} · {found['full_name']}",
    }


@dataclass
class Step:
    """A step with its part of the log; lines are (number, time, kind, text)."""

    row: dict[str, Any]
    lines: list[tuple[int, str, str, str]] = field(default_factory=list)

    @property
    def open(self) -> bool:
        """Whether the step's log is unfolded at first."""
        return self.row["conclusion"] in ("failure", "timed_out", "cancelled")

    def count_hits(self, words: str) -> int:
        """Count the lines that contain the searched words."""
        return sum(words.lower() in line[3].lower() for line in self.lines) if words else 0


def split_log(rows: list[JsonObject], log: str) -> list[Step]:
    """Return the steps of a job, each with its lines.

    A step begins with a line of its own, at the earliest at its start time.
    """
    steps = [Step(row) for row in rows]
    ran = [step for step in steps if step.row["conclusion"] != "skipped"]
    at = 0
    for moment, text in _lines(log):
        following = ran[at + 1] if at + 1 < len(ran) else None
        if (
            following is not None
            and text.startswith(OPENINGS)
            and moment >= (following.row["started_at"] or "").rstrip("Z")
            and ran[at].lines
        ):
            at += 1
        if at < len(ran) and len(ran[at].lines) < MOST_LINES:
            ran[at].lines.append((len(ran[at].lines) + 1, f"{moment}Z", *_kind(text)))
    return steps


def _lines(log: str) -> Iterator[tuple[str, str]]:
    last = ""
    for line in log.splitlines():
        found = LINE.fullmatch(line)
        last = found[1] if found else last
        yield last, COLOUR.sub("", found[3] if found else line)


def _kind(text: str) -> tuple[str, str]:
    found = MARK.match(text)
    if found is None:
        return "", text
    if found[3] is not None:
        return "command", found[3]
    return found[1], found[2]
