"""Job plans: a job of a workflow file with its matrix cells, its steps with expressions filled in, and a digest."""

import posixpath
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from apps.github.ci.expressions import Outputs, Scope, as_text, fill, holds
from apps.github.ci.workflow import JobFile, StepFile, Workflow
from apps.github.ci.workflow_errors import FileFault
from apps.github.ci.yaml_nodes import Scalar

CHECKOUT, SETUP, CACHE = "actions/checkout", "actions/setup-python", "actions/cache"
LONGEST_MIN = 360  # docs.github.com/actions/reference/limits
PLACES = {
    "GITHUB_OUTPUT": "output",
    "GITHUB_ENV": "env",
    "GITHUB_PATH": "path",
    "GITHUB_STEP_SUMMARY": "summary",
    "GITHUB_STATE": "state",
}


def place_of(kind: str, step: int) -> str:
    """Return the file in which a script, counted from 0, leaves values to the next."""
    return f"/tmp/_runner_{kind}_{step}"


Cell = Mapping[str, Scalar]


@dataclass(frozen=True)
class StepPlan:
    """One step ready to run; `kind`: checkout, setup, cache or run. `when`: success, failure, always or never."""

    name: str
    kind: str
    script: str = ""
    env: Mapping[str, str] | None = None
    directory: str = ""
    when: str = "success"
    tolerant: bool = False
    shown: Sequence[str] = ()
    id: str = ""


@dataclass(frozen=True)
class JobPlan:
    """One job ready to run. `problem`: why it cannot even be set up."""

    key: str
    name: str
    steps: Sequence[StepPlan]
    env: Mapping[str, str]
    timeout_s: int = LONGEST_MIN * 60
    labels: Sequence[str] = ()
    tolerant: bool = False
    problem: str = ""


def cells(job: JobFile) -> Sequence[Cell]:
    """Return the cells of a job's matrix; one empty cell without a matrix."""
    if not job.matrix and not job.include:
        return [{}]
    names = list(job.matrix)
    base: list[dict[str, Scalar]] = (
        [dict(zip(names, values, strict=True)) for values in product(*job.matrix.values())] if names else []
    )
    base = [
        cell
        for cell in base
        if not any(all(cell.get(key) == value for key, value in out.items()) for out in job.exclude)
    ]
    original = [dict(cell) for cell in base]
    for more in job.include:
        fitting = [
            i
            for i, cell in enumerate(original)
            if all(cell.get(key, value) == value for key, value in more.items() if key in names)
        ]
        if fitting:
            for i in fitting:
                base[i].update(more)
        else:
            base.append(dict(more))
    return base


def title(job: JobFile, cell: Cell, contexts: Mapping[str, object]) -> str:
    """Return the name of a job with its matrix cell: `test (3.11)`. Raises FileFault."""
    if "${{" in job.name:
        return fill(job.name, Scope({**contexts, "matrix": cell}))
    plain = job.name or job.key
    return f"{plain} ({', '.join(as_text(value) for value in cell.values())})" if cell else plain


def plan(workflow: Workflow, job: JobFile, cell: Cell, contexts: Mapping[str, object]) -> JobPlan:
    """Build the plan of a job. Raises FileFault for an invalid expression."""
    known: dict[str, Any] = {
        **contexts,
        "matrix": cell,
        "strategy": {"fail-fast": job.fail_fast, "job-total": float(len(cells(job)))},
    }
    outer = _fill_env(workflow.env, known, {})
    env = _fill_env(job.env, known, outer)
    known["env"] = env
    scope = Scope(known)
    steps: list[StepPlan] = []
    for step in job.steps:
        steps.append(_step(step, job, known))
        known["steps"] = {
            **known.get("steps", {}),
            **({step.id: {"outputs": Outputs(step.id)}} if step.id and step.run else {}),
        }
    minutes = _minutes(fill(job.timeout_min, scope))
    tolerant = fill(job.tolerant, scope) == "true"
    labels = [fill(one, scope) for one in job.runs_on]
    return JobPlan(
        job.key, title(job, cell, contexts), steps, env, minutes * 60, labels, tolerant, _problem(job, steps, labels)
    )


def _fill_env(env: Mapping[str, str], known: Mapping[str, object], outer: Mapping[str, str]) -> dict[str, str]:
    scope = Scope({**known, "env": outer})
    return {**outer, **{name: fill(value, scope) for name, value in env.items()}}


def _minutes(text: str) -> int:
    try:
        return max(1, min(int(float(text)), LONGEST_MIN)) if text else LONGEST_MIN
    except ValueError:
        raise FileFault(f"Unexpected value '{text[:60]}'") from None


def _problem(job: JobFile, steps: Sequence[StepPlan], labels: Sequence[str]) -> str:
    if job.unsupported == "uses":
        return f"error parsing called workflow: workflow was not found. {job.key}"
    if job.unsupported:
        return f"Docker is not available on this runner: `{job.unsupported}` cannot be used"
    if not labels or any(not label.startswith("ubuntu-") for label in labels):
        return f"No runner matching the specified labels was found: {', '.join(labels)}"
    unknown = [step.shown[0] for step in steps if step.kind == "unknown"]
    if unknown:
        name, _, _ = unknown[0].partition("@")
        if unknown[0].startswith("./"):
            return (
                f"Can't find 'action.yml', 'action.yaml' or 'Dockerfile' under '{name}'. Did you forget to run"
                " actions/checkout?"
            )
        return (
            f"Unable to resolve action {unknown[0]}, repository not found"
            if "/" in name
            else f"Unable to resolve action {name}"
        )
    return ""


# -- steps


def _step(step: StepFile, job: JobFile, known: Mapping[str, Any]) -> StepPlan:
    env = {name: fill(value, Scope(known)) for name, value in step.env.items()}
    inner = Scope({**known, "env": {**known["env"], **env}})
    tolerant = fill(step.tolerant, inner) == "true"
    when = _when(
        step.condition, Scope({**inner.contexts, "steps": {}})
    )  # a condition is decided before anything has run
    if step.uses:
        return _action(step, inner, when, tolerant)
    script = fill(step.run, inner)
    directory = posixpath.normpath(fill(step.directory, inner) or job.directory or ".")
    name = fill(step.name, inner) or f"Run {script.strip().splitlines()[0][:80] if script.strip() else ''}".strip()
    directory = "" if directory == "." else directory
    body = _shell(script, step.shell)
    return StepPlan(
        name,
        "run",
        _tolerate_failure(body) if tolerant else body,
        env,
        directory,
        when,
        tolerant,
        script.splitlines(),
        step.id,
    )


def _when(condition: str, scope: Scope) -> str:
    good, bad = (holds(condition, Scope(scope.contexts, status)) for status in ("success", "failure"))
    return {(True, True): "always", (True, False): "success", (False, True): "failure"}.get((good, bad), "never")


def _action(step: StepFile, scope: Scope, when: str, tolerant: bool) -> StepPlan:
    uses = fill(step.uses, scope)
    kind = {CHECKOUT: "checkout", SETUP: "setup", CACHE: "cache"}.get(uses.partition("@")[0].lower(), "unknown")
    given = [f"{name}: {fill(value, scope)}" for name, value in step.given.items()]
    return StepPlan(
        fill(step.name, scope) or f"Run {uses}",
        kind if "@" in uses else "unknown",
        when=when,
        tolerant=tolerant,
        shown=[uses, *given],
    )


def _shell(script: str, shell: str) -> str:
    if shell in ("", "sh"):
        return script
    if shell == "bash":
        return f"set -o pipefail\n{script}"
    if shell == "python":
        return f"exec python3 -c {shlex.quote(script)}"
    return f"echo '##[error]{shell[:40]}: command not found'; exit 127".replace("\n", " ")


def _tolerate_failure(script: str) -> str:
    return f'bash -e -c {shlex.quote(script)} || echo "##[error]Process completed with exit code $?."\n'


def variables(plan: JobPlan, workflow: Workflow, repository: str, flaky: int) -> dict[str, str]:
    """Return the environment of a job. It is equal for all commits of one tree."""
    places = {name: f"/tmp/_runner_{place}" for name, place in PLACES.items()}
    return {
        **places,
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": "/workspace",
        "GITHUB_JOB": plan.key,
        "GITHUB_WORKFLOW": workflow.name,
        "GITHUB_REPOSITORY": repository,
        "RUNNER_OS": "Linux",
        "RUNNER_ARCH": "X64",
        "RUNNER_TEMP": "/tmp",
        "FLAKY_SEED": str(flaky),
        **plan.env,
    }
