"""Runs variants of a solution: one scenario and seed, its start, its quiet run, and forks of the state."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import Any, Protocol, TypeVar, cast

from world.agents.solver import Change, StepOutcome, as_is
from world.gate.solution_checkpoints import CheckpointScene, SolutionCheckpoints
from world.grading import Evidence, Rubric, Verdict, grade
from world.run import episode
from world.run.episode import Episode
from world.run.host import Host
from world.run.run_evidence import RunRecord, collect_run_record
from world.script.loader import Scenario


class Kept(Protocol):
    """Something that several checks use, until the runner is closed."""

    def close(self) -> None:
        """Let go of it."""
        ...


K = TypeVar("K", bound=Kept)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One line of the gate: which check, on what, whether it holds, why not, and at which of several difficulties.

    `half` is the half of a corpus that was tried; what was `left_out` was not tried, and holds.
    """

    check: str
    what: str
    ok: bool
    why: str = ""
    difficulty: str = ""
    half: str = ""
    left_out: bool = False

    @property
    def key(self) -> str:
        """Name of the finding in survivors.yaml."""
        return f"{self.check} {self.what}"


def excuse_survivor(finding: CheckResult, scenario: Scenario) -> CheckResult:
    """A surviving mutant whose author gave a reason holds, with that reason."""
    reason = scenario.survivors.get(finding.key)
    return finding if finding.ok or not reason else replace(finding, ok=True, why=f"accepted: {reason}")


class VariantRunner:
    """Runs of one scenario, seed and difficulty (the usual one unless told). Every variant is a fork of the same first
    moment: one that is there already, or made here. Of acts of corpora and of stray writes every `stride`-th is tried.
    """

    def __init__(
        self,
        host: Host,
        scenario: Scenario,
        seed: int,
        difficulty: str | None = None,
        *,
        started: tuple[Episode, RunRecord] | None = None,
        stride: int = 1,
    ) -> None:
        self.host, self.scenario, self.seed, self.stride = host, scenario, seed, stride
        name = f"gate-{difficulty or 'usual'}-{seed}"
        self.root = (
            started[0] if started else episode.start(host, scenario, seed=seed, world=name, difficulty=difficulty)
        )
        self.quiet: RunRecord = started[1] if started else episode.run_untouched(self.root)
        self._numbers = count()
        self._checkpoints: dict[str, SolutionCheckpoints] = {}
        self._kept: dict[Any, Kept] = {}

    def elsewhere(self, seed: int) -> "VariantRunner":
        """The same on another seed."""
        return VariantRunner(self.host, self.scenario, seed, self.root.actor.settings.difficulty)

    def keep(self, make: Callable[["VariantRunner"], K]) -> K:
        """Return what is made of this runner: it is made once, for all the checks that use it."""
        if make not in self._kept:
            self._kept[make] = make(self)
        return cast("K", self._kept[make])

    def close(self) -> None:
        """Drop the start, the recorded checkpoints, and what was kept."""
        for one in self._kept.values():
            one.close()
        self._kept.clear()
        for checkpoints in self._checkpoints.values():
            for made in checkpoints.forks:
                self.host.drop(made.world)
        self._checkpoints.clear()
        self.host.drop(self.root.world)

    def fork(self, of: Episode | None = None) -> Episode:
        """A fresh fork of the start, or of a finished run."""
        parent, name = of or self.root, f"{self.root.world}-gate-{next(self._numbers)}"
        self.host.fork(parent.actor, name)
        return episode.of_world(parent, name)

    def make_scene(self) -> CheckpointScene:
        """A scene for a variant whose change looks at the world."""
        return CheckpointScene(self.root)

    def play_solution(
        self,
        change: Change = as_is,
        door: str = "rest",
        *,
        run_on: bool = True,
        scene: CheckpointScene | None = None,
        tell: Callable[[StepOutcome], None] | None = None,
    ) -> tuple[Episode, list[StepOutcome]]:
        """Play the solution, changed or not, in a fork up to the horizon. `scene` is what `change` looks at."""
        run, played = self._record_checkpoints(door).play(scene or self.make_scene(), change, tell)
        if run_on:
            episode.finish(run)
        return run, played

    def _record_checkpoints(self, door: str) -> SolutionCheckpoints:
        if self.scenario.oracle is None:
            raise LookupError(f"{self.scenario.name} has no oracle.py")
        if door not in self._checkpoints:
            self._checkpoints[door] = SolutionCheckpoints.record(self.scenario.oracle, self.root, self.fork, door)
        return self._checkpoints[door]

    @cached_property
    def rubric(self) -> Rubric:
        """The scenario's rubric, read once for all its runs."""
        return episode.rubric(self.root)

    @cached_property
    def _unplayed(self) -> Evidence:
        return episode.evidence(self.root, collect_run_record(self.root.actor), self.quiet)

    def evidence(self, run: Episode) -> Evidence:
        """Return the evidence of a run; it shares its beginning with every other."""
        found = collect_run_record(run.actor)
        return replace(
            self._unplayed,
            changes=found.changes,
            calls=found.calls,
            events=found.events,
            answer=found.answer,
            contents=found.contents,
        )

    def grade(self, run: Episode) -> Verdict:
        """The verdict of a run of this scenario."""
        return grade(self.rubric, self.evidence(run))

    def verdict(self, change: Change = as_is, door: str = "rest") -> Verdict:
        """The verdict of a variant of the solution; its world is dropped."""
        run, _ = self.play_solution(change, door)
        return self.grade_and_drop(run)

    def grade_and_drop(self, run: Episode) -> Verdict:
        """Grade a run and drop its world."""
        try:
            return self.grade(run)
        finally:
            self.host.drop(run.world)

    def idle(self) -> Verdict:
        """The verdict of doing nothing at all."""
        run = self.fork()
        episode.finish(run)
        return self.grade_and_drop(run)


def expect_fail(check: str, what: str, verdict: Verdict, *, below: float | None = None) -> CheckResult:
    """A finding that holds when the verdict is a fail, and (if asked) its raw score has dropped."""
    dropped = below is None or (verdict.raw_score or 0.0) < below
    why = "" if not verdict.passed and dropped else summarise_verdict(verdict)
    return CheckResult(check, what, not why, why)


def summarise_verdict(verdict: Verdict) -> str:
    """The verdict in a few words."""
    return verdict.error or f"pass {verdict.passed}, score {verdict.score}, raw {verdict.raw_score}"


LONGEST_WHY = 160  # characters


def expect_pass(check: str, what: str, verdict: Verdict) -> CheckResult:
    """A finding that holds when the verdict is a full pass."""
    fine = verdict.passed and verdict.score == 1.0
    return CheckResult(check, what, fine, "" if fine else "; ".join(complaints(verdict)))


def complaints(verdict: Verdict) -> Iterable[str]:
    """Yield the reasons why a verdict is no full pass."""
    yield summarise_verdict(verdict)
    for item in verdict.items:
        if item.share < 1:
            yield f"{item.id} {item.share:.2f}"
    for row in verdict.unclaimed:
        yield f"unclaimed {row.change} {row.row}: {row.why[:LONGEST_WHY]}"
    for hit in verdict.never:
        yield f"never {hit}"
