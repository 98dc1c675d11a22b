"""A workflow file as written: triggers, jobs and steps, with expressions still as text.

Source: docs.github.com/actions/writing-workflows/workflow-syntax-for-github-actions
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from apps.github.ci.workflow_errors import FileFault
from apps.github.ci.yaml_nodes import Node, Scalar, parse_document

FOLDER = ".github/workflows"
EVENTS = frozenset(
    "branch_protection_rule check_run check_suite create delete deployment deployment_status discussion"
    " discussion_comment fork gollum image_version issue_comment issues label merge_group milestone page_build project"
    " project_card project_column public pull_request pull_request_review pull_request_review_comment"
    " pull_request_target push registry_package release repository_dispatch schedule status watch workflow_call"
    " workflow_dispatch workflow_run".split()
)
JOB_KEYS = (
    "name",
    "permissions",
    "needs",
    "if",
    "runs-on",
    "environment",
    "concurrency",
    "outputs",
    "env",
    "defaults",
    "steps",
    "timeout-minutes",
    "strategy",
    "continue-on-error",
    "container",
    "services",
    "uses",
    "with",
    "secrets",
)
STEP_KEYS = (
    "id",
    "if",
    "name",
    "uses",
    "run",
    "working-directory",
    "shell",
    "with",
    "env",
    "continue-on-error",
    "timeout-minutes",
)
FILTERS = ("branches", "branches-ignore", "tags", "tags-ignore", "paths", "paths-ignore")
MOST_JOBS, MOST_STEPS, MOST_CELLS = 20, 50, 256


@dataclass(frozen=True)
class Trigger:
    """One event of `on`, with its filters by name; `inputs` of a manual start are name -> default."""

    filters: Mapping[str, Sequence[str]] = field(default_factory=dict)
    types: Sequence[str] = ()
    inputs: Mapping[str, "Input"] = field(default_factory=dict)


@dataclass(frozen=True)
class Input:
    """An input of a manual start."""

    default: Scalar = None
    required: bool = False
    options: Sequence[str] = ()


@dataclass(frozen=True)
class StepFile:
    """One step."""

    line: int
    id: str
    name: str
    uses: str
    run: str
    condition: str
    directory: str
    shell: str
    given: Mapping[str, str]
    env: Mapping[str, str]
    tolerant: str


@dataclass(frozen=True)
class JobFile:
    """One job. `matrix` is variable -> values, `include` and `exclude` are cells."""

    key: str
    line: int
    name: str
    needs: Sequence[str]
    condition: str
    runs_on: Sequence[str]
    env: Mapping[str, str]
    directory: str
    timeout_min: str
    steps: Sequence[StepFile]
    tolerant: str = ""
    unsupported: str = ""
    matrix: Mapping[str, Sequence[Scalar]] = field(default_factory=dict)
    include: Sequence[Mapping[str, Scalar]] = ()
    exclude: Sequence[Mapping[str, Scalar]] = ()
    fail_fast: bool = True


@dataclass(frozen=True)
class Workflow:
    """A whole workflow file."""

    name: str
    run_name: str
    triggers: Mapping[str, Trigger]
    env: Mapping[str, str]
    jobs: Mapping[str, JobFile]
    group: str = ""
    cancels: str = ""


@lru_cache(maxsize=64)
def parse(data: bytes) -> Workflow:
    """Parse a workflow file. Raises FileFault."""
    root = parse_document(data)
    top = root.only("name", "run-name", "on", "permissions", "env", "defaults", "concurrency", "jobs")
    for name in ("on", "jobs"):
        if name not in top:
            raise root.fault(f"Required property is missing: {name}")
    directory = _directory(top.get("defaults"))
    env = _env(top.get("env"))
    jobs = {key: _job(key, node, directory) for key, node in top["jobs"].mapping().items()}
    _check_needs(top["jobs"], jobs)
    group, cancels = _concurrency(top.get("concurrency"))
    return Workflow(_text(top.get("name")), _text(top.get("run-name")), _triggers(top["on"]), env, jobs, group, cancels)


def name_of(data: bytes, path: str) -> str:
    """Return the name of a workflow; its path when it has no name or cannot be read."""
    try:
        return _text(parse_document(data).mapping().get("name")) or path
    except FileFault:
        return path


def _text(node: Node | None) -> str:
    return "" if node is None else node.string()


def _env(node: Node | None) -> dict[str, str]:
    return {} if node is None else {name: value.string() for name, value in node.mapping().items()}


def _directory(node: Node | None) -> str:
    run = node.only("run").get("run") if node is not None else None
    return _text(run.only("shell", "working-directory").get("working-directory")) if run is not None else ""


def _concurrency(node: Node | None) -> tuple[str, str]:
    if node is None:
        return "", ""
    if node.text is not None:
        return node.text, ""
    parts = node.only("group", "cancel-in-progress", "queue")
    return _text(parts.get("group")), _text(parts.get("cancel-in-progress"))


# -- what starts it


def _triggers(node: Node) -> dict[str, Trigger]:
    if node.pairs is None:
        named = {name: node for name in node.strings()}
        found = {name: Trigger() for name in named}
    else:
        named = node.pairs
        found = {name: _trigger(name, one) for name, one in named.items()}
    for name, one in named.items():
        if name not in EVENTS:
            raise one.fault(f"Unexpected value '{name[:60]}'")
    if not found:
        raise node.fault("No event triggers defined in `on`")
    return found


def _trigger(name: str, node: Node) -> Trigger:
    if name == "schedule":
        for one in node.sequence():
            one.only("cron", "timezone")
        return Trigger()
    parts = node.mapping()
    if name in ("push", "pull_request", "pull_request_target"):
        parts = node.only(*FILTERS, *(("types",) if name != "push" else ()))
    filters = {key: parts[key].strings() for key in FILTERS if key in parts}
    for kind in ("branches", "tags", "paths"):
        if kind in filters and f"{kind}-ignore" in filters:
            raise node.fault(f"you may only define one of `{kind}` and `{kind}-ignore` for a single event")
    inputs = parts["inputs"].mapping() if name == "workflow_dispatch" and "inputs" in parts else {}
    return Trigger(
        filters, parts["types"].strings() if "types" in parts else (), {key: _input(one) for key, one in inputs.items()}
    )


def _input(node: Node) -> Input:
    parts = node.only("description", "deprecationMessage", "required", "default", "type", "options")
    default = parts["default"].scalar() if "default" in parts else None
    options = parts["options"].strings() if "options" in parts else ()
    return Input(default, _text(parts.get("required")) == "true", options)


# -- jobs


def _job(key: str, node: Node, directory: str) -> JobFile:
    parts = node.only(*JOB_KEYS)
    reusable = "uses" in parts
    if not reusable and "runs-on" not in parts:
        raise node.fault("Required property is missing: runs-on")
    if not reusable and "steps" not in parts:
        raise node.fault("Required property is missing: steps")
    steps = parts["steps"].sequence() if "steps" in parts else []
    if len(steps) > MOST_STEPS:
        raise node.fault(f"A job has at most {MOST_STEPS} steps here")
    unsupported = next((name for name in ("uses", "container", "services") if name in parts), "")
    matrix, include, exclude, fail_fast = _strategy(parts.get("strategy"))
    return JobFile(
        key,
        node.line,
        _text(parts.get("name")),
        parts["needs"].strings() if "needs" in parts else (),
        _text(parts.get("if")),
        _runner(parts.get("runs-on")),
        _env(parts.get("env")),
        _directory(parts.get("defaults")) or directory,
        _text(parts.get("timeout-minutes")),
        [_step(one) for one in steps],
        _text(parts.get("continue-on-error")),
        unsupported,
        matrix,
        include,
        exclude,
        fail_fast,
    )


def _runner(node: Node | None) -> list[str]:
    if node is None:
        return []
    if node.pairs is not None:
        parts = node.only("group", "labels")
        return parts["labels"].strings() if "labels" in parts else []
    return node.strings()


def _step(node: Node) -> StepFile:
    parts = node.only(*STEP_KEYS)
    if ("uses" in parts) == ("run" in parts):
        both = "a step cannot have both the `uses` and `run` keys"
        raise node.fault(both if "uses" in parts else "Required property is missing: run")
    return StepFile(
        node.line,
        _text(parts.get("id")),
        _text(parts.get("name")),
        _text(parts.get("uses")),
        _text(parts.get("run")),
        _text(parts.get("if")),
        _text(parts.get("working-directory")),
        _text(parts.get("shell")),
        _env(parts.get("with")),
        _env(parts.get("env")),
        _text(parts.get("continue-on-error")),
    )


Cells = list[Mapping[str, Scalar]]


def _strategy(node: Node | None) -> tuple[dict[str, list[Scalar]], Cells, Cells, bool]:
    parts = node.only("matrix", "fail-fast", "max-parallel") if node is not None else {}
    fail_fast = _text(parts.get("fail-fast")) != "false"
    if "matrix" not in parts:
        return {}, [], [], fail_fast
    given = parts["matrix"].mapping()
    axes = {
        name: [one.scalar() for one in values.sequence()]
        for name, values in given.items()
        if name not in ("include", "exclude")
    }
    size = 1
    for values in axes.values():
        size *= max(len(values), 1)
    if size > MOST_CELLS:
        raise parts["matrix"].fault(f"The matrix exceeds the maximum size of {MOST_CELLS}")
    return axes, _cells(given.get("include")), _cells(given.get("exclude")), fail_fast


def _cells(node: Node | None) -> Cells:
    return (
        []
        if node is None
        else [{name: value.scalar() for name, value in one.mapping().items()} for one in node.sequence()]
    )


def _check_needs(node: Node, jobs: Mapping[str, JobFile]) -> None:
    if not jobs:
        raise node.fault("The workflow must contain at least one job.")
    if len(jobs) > MOST_JOBS:
        raise node.fault(f"A workflow has at most {MOST_JOBS} jobs here")
    for job in jobs.values():
        for name in job.needs:
            if name not in jobs:
                raise FileFault(f"Job '{job.key}' depends on unknown job '{name}'.", job.line, 1)
    left = dict(jobs)
    while left:
        free = [key for key, job in left.items() if not any(name in left for name in job.needs)]
        if not free:
            some = min(left.values(), key=lambda job: job.line)
            raise FileFault("The workflow must contain at least one job with no dependencies.", some.line, 1)
        for key in free:
            del left[key]
