"""Preparation for grading the runs of one task: rubric, labels, and the run without an agent. Made once and kept."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from world.grading import grade
from world.grading.errors import GraderError
from world.grading.inputs import Evidence
from world.grading.judge import Judge
from world.grading.labels import get_settled_labels
from world.grading.rubric_loader import Rubric
from world.grading.verdict import Verdict
from world.run import episode
from world.run.episode import Episode
from world.run.run_evidence import RunRecord

KEPT = 32  # tasks a server keeps ready


@dataclass(frozen=True, slots=True)
class TaskMark:
    """Key of a preparation: the scenario's path and its revision, seed and settings, the company."""

    folder: str
    revision: str
    seed: int
    settings: str
    image: str


@dataclass(frozen=True, slots=True)
class Preparation:
    """A task ready to be graded. `labels` are None where the rubric contradicts its lock: every verdict says it."""

    rubric: Rubric
    quiet: RunRecord
    unplayed: Evidence
    labels: Mapping[str, str] | None

    def verdict(self, found: RunRecord, hashes: tuple[str, str] | None, *, judge: Judge | None = None) -> Verdict:
        """Grade what a finished run left."""
        run = found.beside(self.quiet)
        evidence = replace(
            self.unplayed,
            changes=run.changes,
            lacking=run.lacking,
            calls=run.calls,
            events=run.events,
            answer=run.answer,
            contents=run.contents,
            state_hashes=hashes,
        )
        return grade(self.rubric, evidence, judge=judge, labels=self.labels)


def prepare(root: Episode) -> Preparation:
    """Everything about a task that its runs have in common. Raises RubricError."""
    rubric, quiet = episode.rubric(root), episode.baseline(root)
    unplayed = episode.evidence(root, quiet, quiet)
    labels: Mapping[str, str] | None = None
    with suppress(GraderError):
        labels = get_settled_labels(rubric, unplayed)
    return Preparation(rubric, quiet, unplayed, labels)


def mark_of(run: Episode) -> TaskMark:
    """The mark of a run's task."""
    settings = run.actor.settings.model_dump_json()
    return TaskMark(str(run.scenario.path), run.scenario.revision, run.seed, settings, run.host.store.base.sha256)


class Preparations:
    """The preparations of one process, the longest unused one dropped for the next."""

    def __init__(self) -> None:
        self._kept: OrderedDict[TaskMark, Preparation] = OrderedDict()

    def __contains__(self, mark: TaskMark) -> bool:
        return mark in self._kept

    def get(self, mark: TaskMark, make: Callable[[], Preparation]) -> Preparation:
        """The preparation of a task, made where it is not there yet."""
        if mark not in self._kept:
            self._kept[mark] = make()
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(mark)
        return self._kept[mark]
