"""Runs a job's plan on a tree once; the world and its run folder keep the output.

The output depends only on the tree and on what is run on it (`suite_of`). Durations and addresses are removed. A
replayed world reads the stored output, or gets the same bytes from another run.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Any, NamedTuple

import orjson

from apps.github.ci.job_plan import PLACES, JobPlan, StepPlan
from apps.github.ci.step_outputs import SUMMARY, steps_of
from apps.github.git import Repo
from apps.github.git.repo import EXECUTABLE, LINK, MODULE
from apps.github.models_actions import Verdict
from world.core.call import Call
from world.core.json_types import JsonObject
from world.core.rng import Stream
from world.sandbox import Limits, Outcome, Unavailable, run

SUITE_VERSION = 1  # of what a runner is; a change makes every tree run again
CARRYING = 1  # of what steps leave to each other, for those that name where
LIMITS = Limits()
FLAKY_IN = 33  # one run in so many draws the seed 0
EMPTY = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"  # git's tree without files


class ResultKey(NamedTuple):
    """Cache key of a job's output: the tree it ran on, and the digest of what was run."""

    tree: str
    suite: str


@dataclass(frozen=True)
class JobResult:
    """Outcome of a job.

    `conclusion`: success, failure or timed_out; `steps`: {name, exit_code, output, outcome} of its scripts.
    """

    conclusion: str
    steps: Sequence[Mapping[str, Any]]


def summary_of(said: JobResult) -> str:
    """Return the Markdown summary that the scripts of a job wrote."""
    return next((str(one["output"]) for one in said.steps if one["name"] == SUMMARY), "")


def flaky_seed(seed: int, sha: str, attempt: int) -> int:
    """Return the seed a flaky test reads: 0 makes it fail (about once in 33 attempts), else 1.

    There are only two values, so that a tree runs at most twice.
    """
    return 0 if Stream(seed, "flaky", sha, attempt).integer(1, FLAKY_IN) == 1 else 1


def suite_of(plan: JobPlan, env: Mapping[str, str]) -> str:
    """Return the digest of what is run."""
    scripts = [
        {name: value for name, value in asdict(step).items() if value or name != "id"} for step in scripts_of(plan)
    ]
    carried = [CARRYING] if any(name in step.script for step in scripts_of(plan) for name in PLACES) else []
    text = orjson.dumps(
        [SUITE_VERSION, asdict(LIMITS), scripts, dict(env), takes_tree(plan), *carried], option=orjson.OPT_SORT_KEYS
    )
    return blake2b(text, digest_size=16).hexdigest()


def scripts_of(plan: JobPlan) -> list[StepPlan]:
    """Return the steps that run a script, if the job can be set up."""
    return [] if plan.problem else [step for step in plan.steps if step.kind == "run" and step.when != "never"]


def takes_tree(plan: JobPlan) -> bool:
    """Whether the repository's files are checked out."""
    return any(step.kind == "checkout" and step.when in ("success", "always") for step in plan.steps)


def where(tree: str, plan: JobPlan, env: Mapping[str, str]) -> ResultKey:
    """Return the cache key of a job's output; `suite` is empty for a job without scripts."""
    return ResultKey(tree if takes_tree(plan) else EMPTY, suite_of(plan, env) if scripts_of(plan) else "")


def find_outcome(call: Call, place: ResultKey) -> JobResult:
    """Return the stored outcome of a job."""
    found = _find_verdict(call, place)
    assert found is not None, f"nothing is kept of {place}"
    return found


def _find_verdict(call: Call, place: ResultKey) -> JobResult | None:
    row = call.session.get(Verdict, (place.tree, place.suite)) if place.suite else None
    return (
        JobResult(row.conclusion, row.steps) if row is not None else None if place.suite else JobResult("success", [])
    )


def get_outcome(call: Call, place: ResultKey, ask: Callable[[], Outcome]) -> JobResult:
    """Return the stored outcome for a tree; run `ask` and store its outcome if there is none. Raises Unavailable."""
    known = _find_verdict(call, place)
    if known is not None:
        return known
    key = blake2b(f"{place.tree}/{place.suite}".encode(), digest_size=20).hexdigest()
    found = call.recall(key, lambda: _to_json(ask()))
    call.session.add(
        Verdict(tree_sha=place.tree, suite=place.suite, conclusion=str(found["conclusion"]), steps=found["steps"])
    )
    call.flush()
    return JobResult(str(found["conclusion"]), found["steps"])


def _to_json(outcome: Outcome) -> JsonObject:
    return {"conclusion": outcome.conclusion, "steps": [asdict(step) for step in outcome.steps]}


def run_job(git: Repo, place: ResultKey, plan: JobPlan, env: Mapping[str, str]) -> JobResult:
    """Run a job on a tree and return its outcome. Raises Unavailable where nothing can be isolated."""

    def ask() -> Outcome:
        files, programs = files_of(git, place.tree)
        return run(files, list(steps_of(scripts_of(plan))), env=env, limits=LIMITS, executable=programs)

    return get_outcome(git.call, place, ask)


def files_of(git: Repo, tree: str) -> tuple[dict[str, bytes], Collection[str]]:
    """Return the files of a tree, and the executable ones among them; links and submodules are left out."""
    files: dict[str, bytes] = {}
    programs: set[str] = set()
    if tree == EMPTY:
        return files, programs
    for entry in git.walk(tree):
        if entry.mode in (LINK, MODULE):
            continue
        files[entry.path] = git.blob(entry.sha)
        if entry.mode == EXECUTABLE:
            programs.add(entry.path)
    return files, programs


__all__ = [
    "JobResult",
    "Unavailable",
    "ResultKey",
    "files_of",
    "find_outcome",
    "flaky_seed",
    "get_outcome",
    "run_job",
    "scripts_of",
    "where",
]
