"""Runs a job's plan on a tree, once: the world keeps what was said, and so does its run folder.

What a job says is a function of the tree and of what is run on it (`suite_of`): nothing else goes in, durations and
addresses are scrubbed, and a world that is replayed reads what is kept, or gets the same bytes from another run.
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


class Where(NamedTuple):
    """Under what a word is kept: the tree it is about, and the digest of what was run on it."""

    tree: str
    suite: str


@dataclass(frozen=True)
class Said:
    """What a job said: `conclusion` success, failure or timed_out; `steps` are {name, exit_code, output, outcome} of
    its scripts.
    """

    conclusion: str
    steps: Sequence[Mapping[str, Any]]


def summary_of(said: Said) -> str:
    """What the scripts of a job wrote as its summary, in Markdown."""
    return next((str(one["output"]) for one in said.steps if one["name"] == SUMMARY), "")


def flaky_seed(seed: int, sha: str, attempt: int) -> int:
    """What a flaky test reads: 0, on which it fails, about once in 33 attempts, else 1; two values, so that trees are
    run twice at most.
    """
    return 0 if Stream(seed, "flaky", sha, attempt).integer(1, FLAKY_IN) == 1 else 1


def suite_of(plan: JobPlan, env: Mapping[str, str]) -> str:
    """The digest of what is run."""
    scripts = [
        {name: value for name, value in asdict(step).items() if value or name != "id"} for step in scripts_of(plan)
    ]
    carried = [CARRYING] if any(name in step.script for step in scripts_of(plan) for name in PLACES) else []
    text = orjson.dumps(
        [SUITE_VERSION, asdict(LIMITS), scripts, dict(env), takes_tree(plan), *carried], option=orjson.OPT_SORT_KEYS
    )
    return blake2b(text, digest_size=16).hexdigest()


def scripts_of(plan: JobPlan) -> list[StepPlan]:
    """The steps that run something, if the job can be set up."""
    return [] if plan.problem else [step for step in plan.steps if step.kind == "run" and step.when != "never"]


def takes_tree(plan: JobPlan) -> bool:
    """Whether the repository's files are checked out."""
    return any(step.kind == "checkout" and step.when in ("success", "always") for step in plan.steps)


def where(tree: str, plan: JobPlan, env: Mapping[str, str]) -> Where:
    """Under what a job's word is kept; without scripts there is nothing to keep."""
    return Where(tree if takes_tree(plan) else EMPTY, suite_of(plan, env) if scripts_of(plan) else "")


def find_outcome(call: Call, place: Where) -> Said:
    """What this world knows."""
    found = _find_verdict(call, place)
    assert found is not None, f"nothing is kept of {place}"
    return found


def _find_verdict(call: Call, place: Where) -> Said | None:
    row = call.session.get(Verdict, (place.tree, place.suite)) if place.suite else None
    return Said(row.conclusion, row.steps) if row is not None else None if place.suite else Said("success", [])


def get_outcome(call: Call, place: Where, ask: Callable[[], Outcome]) -> Said:
    """What is known of a tree, or what is found out now and kept. Raises Unavailable."""
    known = _find_verdict(call, place)
    if known is not None:
        return known
    key = blake2b(f"{place.tree}/{place.suite}".encode(), digest_size=20).hexdigest()
    found = call.recall(key, lambda: _to_json(ask()))
    call.session.add(
        Verdict(tree_sha=place.tree, suite=place.suite, conclusion=str(found["conclusion"]), steps=found["steps"])
    )
    call.flush()
    return Said(str(found["conclusion"]), found["steps"])


def _to_json(outcome: Outcome) -> JsonObject:
    return {"conclusion": outcome.conclusion, "steps": [asdict(step) for step in outcome.steps]}


def run_job(git: Repo, place: Where, plan: JobPlan, env: Mapping[str, str]) -> Said:
    """What a job says of a tree. Raises Unavailable where nothing can be isolated."""

    def ask() -> Outcome:
        files, programs = files_of(git, place.tree)
        return run(files, list(steps_of(scripts_of(plan))), env=env, limits=LIMITS, executable=programs)

    return get_outcome(git.call, place, ask)


def files_of(git: Repo, tree: str) -> tuple[dict[str, bytes], Collection[str]]:
    """The files of a tree, and which of them are programs; links and submodules are left out."""
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
    "Said",
    "Unavailable",
    "Where",
    "files_of",
    "find_outcome",
    "flaky_seed",
    "get_outcome",
    "run_job",
    "scripts_of",
    "where",
]
