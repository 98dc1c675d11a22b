"""Display of a finished job: steps with times from a table, a log in the vendor's form, and annotations."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.github.ci.annotations import Notes, commands
from apps.github.ci.executor import JobResult
from apps.github.ci.job_plan import JobPlan, StepPlan
from apps.github.domain.context import stamp
from world.core.clock import SECOND, to_datetime
from world.core.json_types import JsonObject
from world.core.rng import Stream

BASE_S = (40, 70)  # of a job, whatever it does; own choice, as are all of these
PER_TEST_S = 0.15
CHECKOUT_S, SETUP_S, BEGIN_S, POST_S = (1, 2), (1, 4), (1, 3), (0, 1)
_RAN = re.compile(r"(?m)^(?:Ran (\d{1,6}) tests?\b|=+ (\d{1,6}) passed)")
RUNNER = ("Current runner version: '2.331.0'", "##[group]Operating System", "Ubuntu", "24.04.3", "LTS", "##[endgroup]")
SET_UP, FAILED = "Set up files", ("failure", "cut off")


@dataclass
class DisplayedStep:
    """One step as the page shows it."""

    name: str
    conclusion: str
    lines: list[str]
    seconds: int
    started_at: int = 0
    completed_at: int = 0


@dataclass(frozen=True)
class Report:
    """A job that has ended: its conclusion (`real` before continue-on-error), steps, log, annotations and length."""

    conclusion: str
    steps: list[dict[str, Any]]
    log: str
    annotations: list[dict[str, Any]]
    seconds: int = 0
    shown: list[DisplayedStep] = field(default_factory=list)


def report(plan: JobPlan, said: JobResult, tree: str, at: int, repository: str, sha: str) -> Report:
    """Build the report of a job that began at `at`, as it appears once the job has ended."""
    notes = Notes()
    draw = Stream("ci", tree, plan.key, plan.name)
    steps = list(_steps(plan, said, draw, notes, repository, sha))
    conclusion = _conclusion(plan, said)
    if conclusion == "timed_out":
        steps[-1].seconds += max(0, plan.timeout_s - sum(step.seconds for step in steps))
        notes.add_failure(f"The job has exceeded the maximum execution time of {plan.timeout_s // 60}m0s", 1)
    place = at
    for step in steps:
        step.started_at, step.completed_at = place, place + step.seconds * SECOND
        place = step.completed_at
    rows = [_row(number, step) for number, step in enumerate(steps, 1)]
    seconds = sum(step.seconds for step in steps)
    return Report(
        conclusion, rows, "".join(_stamp_lines(step, draw) for step in steps), notes.list_all(), seconds, steps
    )


def _conclusion(plan: JobPlan, said: JobResult) -> str:
    return "failure" if plan.problem else said.conclusion


def _row(number: int, step: DisplayedStep) -> JsonObject:
    return {
        "name": step.name,
        "number": number,
        "status": "completed",
        "conclusion": step.conclusion,
        "started_at": stamp(step.started_at),
        "completed_at": stamp(step.completed_at),
    }


def render_initial_steps(plan: JobPlan, at: int) -> list[JsonObject]:
    """Render the steps of a job that has just begun, as JSON."""
    names = ["Set up job", *(step.name for step in plan.steps)]
    first = {
        "name": names[0],
        "number": 1,
        "status": "in_progress",
        "conclusion": None,
        "started_at": stamp(at),
        "completed_at": None,
    }
    rest = [
        {
            "name": name,
            "number": number,
            "status": "queued",
            "conclusion": None,
            "started_at": None,
            "completed_at": None,
        }
        for number, name in enumerate(names[1:], 2)
    ]
    return [first, *rest]


# -- steps


def _steps(
    plan: JobPlan, said: JobResult, draw: Stream, notes: Notes, repository: str, sha: str
) -> Iterator[DisplayedStep]:
    begin = [
        *RUNNER,
        f"Job defined at: {repository}/.github/workflows",
        "Prepare workflow directory",
        "Prepare all required actions",
    ]
    if plan.problem:
        notes.add_failure(plan.problem, len(begin) + 1)
        yield DisplayedStep("Set up job", "failure", [*begin, f"##[error]{plan.problem}"], draw.integer(*BEGIN_S))
        yield from (DisplayedStep(step.name, "skipped", [], 0) for step in plan.steps)
        return
    yield DisplayedStep("Set up job", "success", [*begin, f"Complete job name: {plan.name}"], draw.integer(*BEGIN_S))
    results = _results(plan, said)
    broken = next((one for one in said.steps if one["name"] == SET_UP), None)
    left = draw.integer(*BASE_S)
    posts: list[DisplayedStep] = []
    status = "success"
    for index, step in enumerate(plan.steps):
        shown = _render_step(step, results.get(index), broken, status, draw, notes, repository, sha)
        if step.kind == "run" and shown.conclusion != "skipped":
            shown.seconds, left = left + shown.seconds, 1
        if step.kind in ("checkout", "setup") and shown.conclusion != "skipped":
            posts.append(DisplayedStep(f"Post {step.name}", "success", ["Post job cleanup."], draw.integer(*POST_S)))
        status = "failure" if shown.conclusion in ("failure", "cancelled") else status
        yield shown
    yield from reversed(posts)
    yield DisplayedStep("Complete job", "success", ["Cleaning up orphan processes"], 0)


def _results(plan: JobPlan, said: JobResult) -> dict[int, Mapping[str, object]]:
    """Return the outcome of each script, by the number of its step."""
    places = [index for index, step in enumerate(plan.steps) if step.kind == "run" and step.when != "never"]
    return dict(zip(places, [one for one in said.steps if one["name"] != SET_UP], strict=False))


def _render_step(
    step: StepPlan,
    result: Mapping[str, object] | None,
    broken: Mapping[str, object] | None,
    status: str,
    draw: Stream,
    notes: Notes,
    repository: str,
    sha: str,
) -> DisplayedStep:
    if step.kind == "run":
        return _script(step, result, notes) if result is not None else DisplayedStep(step.name, "skipped", [], 0)
    if step.when not in (status, "always"):
        return DisplayedStep(step.name, "skipped", [], 0)
    given = ["with:", *(f"  {line}" for line in step.shown[1:])] if len(step.shown) > 1 else []
    head = [f"##[group]Run {step.shown[0]}", *given, "##[endgroup]"]
    if step.kind == "checkout":
        fetch = [
            "##[group]Fetching the repository",
            f"[command]/usr/bin/git checkout --progress --force {sha}",
            "##[endgroup]",
        ]
        lines = [*head, f"Syncing repository: {repository}", *fetch, f"HEAD is now at {sha[:7]}"]
        if broken is not None:
            said = [line for line in str(broken["output"]).splitlines() if line][-5:]
            notes.add_failure(said[-1] if said else "The checkout failed", len(lines))
            return DisplayedStep(
                step.name, "failure", [*lines, *(f"##[error]{line}" for line in said)], draw.integer(*CHECKOUT_S)
            )
        return DisplayedStep(step.name, "success", lines, draw.integer(*CHECKOUT_S))
    if step.kind == "cache":
        return DisplayedStep(
            step.name, "success", [*head, "Cache not found for input keys: " + ", ".join(step.shown[1:2])], 1
        )
    version = next(
        (line.partition(":")[2].strip() for line in step.shown[1:] if line.startswith("python-version:")), "3"
    )
    lines = [*head, "##[group]Installed versions", f"Successfully set up CPython ({version})", "##[endgroup]"]
    return DisplayedStep(step.name, "success", lines, draw.integer(*SETUP_S))


def _script(step: StepPlan, result: Mapping[str, object], notes: Notes) -> DisplayedStep:
    outcome, code = str(result["outcome"]), result["exit_code"]
    if outcome == "skipped":
        return DisplayedStep(step.name, "skipped", [], 0)
    first = next((line for line in step.shown if line.strip()), "")
    head = [f"##[group]Run {first}", *step.shown, "shell: /usr/bin/bash -e {0}"]
    if step.env:
        head += ["env:", *(f"  {name}: {value}" for name, value in sorted(step.env.items()))]
    body = commands(str(result["output"]).splitlines(), notes)
    lines = [*head, "##[endgroup]", *body]
    ran = [int(a or b) for a, b in _RAN.findall(str(result["output"]))]
    seconds = round(sum(ran) * PER_TEST_S)
    if outcome == "timed_out":
        return DisplayedStep(step.name, "cancelled", [*lines, "##[error]The operation was canceled."], seconds)
    if outcome in FAILED:
        why = "Process completed with exit code " + (str(code) if code is not None else "137") + "."
        notes.add_tracebacks(str(result["output"]))
        notes.add_failure(why, len(lines) + 1)
        lines.append(f"##[error]{why}")
    return DisplayedStep(step.name, "failure" if outcome in FAILED else "success", lines, seconds)


def _stamp_lines(step: DisplayedStep, draw: Stream) -> str:
    """Add times to the lines of a step, spread over its duration, as in the vendor's logs."""
    if not step.lines:
        return ""
    span = max(step.completed_at - step.started_at, SECOND // 4)
    out = []
    for number, line in enumerate(step.lines):
        at = step.started_at + span * number // len(step.lines)
        moment = to_datetime(at + draw.integer(0, 900))
        out.append(f"{moment:%Y-%m-%dT%H:%M:%S.%f}{draw.integer(0, 9)}Z {line}\n")
    return "".join(out)
