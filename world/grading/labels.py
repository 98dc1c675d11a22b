"""Null labels: an item that is true when nobody acts earns nothing; it is a guard that can only be broken."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from world.grading.claim_assignment import FitCache
from world.grading.effects import Effect, change_set
from world.grading.errors import EventNotFired, GraderError, RubricError
from world.grading.grading_context import GradingContext, build_context
from world.grading.inputs import CallRow, Change, Evidence
from world.grading.predicates import Finding, Run, run_predicate
from world.grading.rubric_loader import Lock, Rubric

Labels = dict[str, str]


def label_items(rubric: Rubric, evidences: Sequence[Evidence]) -> Labels:
    """Item id -> credit or guard: guard when true on S0, on a baseline, or on any of the given null runs.

    Raises RubricError when nothing is left that earns credit.
    """
    found = {id: "credit" for id in _ids(rubric)}
    for evidence in evidences:
        for trajectory in (strip_run(evidence), baseline(evidence), replace(evidence, answer=None)):
            found.update({id: "guard" for id in true_on(rubric, trajectory)})
    if "credit" not in found.values():
        raise RubricError("every item is true when nobody acts; a run that does nothing would earn full marks")
    return found


def world_labels(rubric: Rubric, evidence: Evidence) -> Labels:
    """The labels that a run's own S0 and baseline give."""
    found = {id: "credit" for id in _ids(rubric)}
    for trajectory in (strip_run(evidence), baseline(evidence)):
        found.update({id: "guard" for id in true_on(rubric, trajectory)})
    return found


def lock_of(rubric: Rubric, evidences: Sequence[Evidence]) -> Lock:
    """Build the labels that `firm scenario lock` stores beside a rubric.

    Raises RubricError when seeds disagree about a label.
    """
    worlds = [world_labels(rubric, evidence) for evidence in evidences]
    for evidence, one in zip(evidences, worlds, strict=True):
        for id in one:
            if one[id] != worlds[0][id]:
                raise RubricError(f"{id} is {worlds[0][id]} on one seed and {one[id]} on seed {evidence.marks.seed}")
    seeds = sorted({evidence.marks.seed for evidence in evidences})
    return Lock(rubric.digest, label_items(rubric, evidences), worlds[0], seeds)


def get_settled_labels(rubric: Rubric, evidence: Evidence) -> Mapping[str, str]:
    """The labels to grade with. Raises GraderError when the run's own baseline contradicts the lock."""
    world = world_labels(rubric, evidence)
    if rubric.lock is None:
        return world
    if rubric.lock.rubric != rubric.digest:
        raise GraderError("the rubric has changed since its labels were stored; run `firm scenario lock`")
    moved = sorted(id for id in world if rubric.lock.world.get(id) != world[id])
    if moved:
        raise GraderError(f"labels moved: {', '.join(f'{id} is now {world[id]}' for id in moved)}")
    return rubric.lock.labels


def _ids(rubric: Rubric) -> list[str]:
    found = [item.id for item in (*rubric.items, *rubric.python)]
    if rubric.answer is not None:
        found += [f"answer.{field.name}" for field in rubric.answer.fields]
        found += ["answer.status"] if rubric.answer.status == "impossible" else []
    return found


def strip_run(evidence: Evidence) -> Evidence:
    """The run in which nothing ever happens."""
    return replace(evidence, changes=(), calls=(), events={}, answer=None, baseline=(), state_hashes=None)


def baseline(evidence: Evidence) -> Evidence:
    """The run in which the agent never acts."""
    calls = evidence.baseline_calls or _world_calls(evidence.baseline)
    return replace(
        evidence,
        changes=evidence.baseline,
        calls=calls,
        events=evidence.baseline_events,
        answer=None,
        state_hashes=None,
    )


def _world_calls(changes: Sequence[Change]) -> list[CallRow]:
    return [
        CallRow(seq, 0, "system:world", "world", "baseline") for seq in sorted({change.call_seq for change in changes})
    ]


def true_on(rubric: Rubric, evidence: Evidence) -> set[str]:
    """The items that a trajectory without any work meets; answers are never given there."""
    context = build_context(rubric, evidence, change_set(evidence))
    fits = FitCache(context)
    near: dict[tuple[str, str], list[Effect]] = {}
    for effect in context.effects:
        near.setdefault((effect.kind, effect.table), []).append(effect)
    found = {
        item.id
        for item in rubric.items
        if sum(fits.fits(item, effect) for effect in near.get((item.kind, item.table.name), ())) >= item.required
    }
    bare = not evidence.changes
    return found | {id for id, finding in findings(context, lenient=bare).items() if finding.ok}


def findings(context: GradingContext, *, lenient: bool = False) -> dict[str, Finding]:
    """Return the finding of each Python predicate; with `lenient`, a ref that names nothing yet counts as not met."""
    found: dict[str, Finding] = {}
    run = Run(context.scope)
    for item in context.rubric.python:
        name = item.call.removeprefix("predicates.")
        found[item.id] = _ask_leniently(
            lambda name=name, item=item: run_predicate(
                name, context.rubric.predicates.functions[name], run, item.claims
            ),
            lenient,
        )
    return found


def _ask_leniently(ask: Callable[[], Finding], lenient: bool) -> Finding:
    try:
        return ask()
    except EventNotFired as waiting:
        return Finding(False, why=str(waiting))
    except GraderError as error:
        if not lenient:
            raise
        return Finding(False, why=str(error))
