"""Plays variants of a solution from their first different step: before it, a variant is the solution itself."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field, replace

from world.agents.solver import Change, Solution, StepOutcome, perform_all, perform_step, play
from world.agents.steps import DirectDoor, Scene, Step
from world.run.episode import Episode

Fork = Callable[[Episode], Episode]


class CheckpointScene(Scene):
    """A scene that moves from checkpoint to checkpoint, and then on to a run."""

    def move(self, episode: Episode) -> None:
        """Read another world of the same scenario and seed from here on."""
        self._episode = episode


@dataclass
class SolutionCheckpoints:
    """The steps of the unchanged solution and their outcomes, with a fork of the world before each step and at the end.

    The same call in the same state has the same outcome, so a variant takes the recorded outcomes as long as it makes
    the recorded calls. `door` is the name of the door that all calls take.
    """

    solution: Solution
    door: str
    fork: Fork
    worlds: list[Episode]
    recorded: Episode
    played: list[StepOutcome] = field(default_factory=list[StepOutcome])

    @classmethod
    def record(cls, solution: Solution, root: Episode, fork: Fork, door: str) -> "SolutionCheckpoints":
        """Play the solution once; `root` is its first moment, and `fork` makes a fresh fork of a world."""
        run = fork(root)
        found = cls(solution, door, fork, [root], run)

        def keep(played: StepOutcome) -> None:
            found.played.append(played)
            found.worlds.append(fork(run))

        play(solution, Scene(run), DirectDoor(run, door), tell=keep, strict=False)
        return found

    @property
    def forks(self) -> list[Episode]:
        """The worlds that recording has made, the latest first."""
        return [*reversed(self.worlds[1:]), self.recorded]

    def play(
        self, scene: CheckpointScene, change: Change, tell: Callable[[StepOutcome], None] | None = None
    ) -> tuple[Episode, list[StepOutcome]]:
        """The run of a variant and its steps as they were played. `scene` is what the variant's `change` looks at."""
        variant = _Variant(self, scene)
        played = perform_all(self.solution(scene), scene, variant.perform, change=change, tell=tell)
        return variant.leave_checkpoints(), played


class _Variant:
    """A variant while it is played: at a checkpoint, or in a run of its own."""

    def __init__(self, checkpoints: SolutionCheckpoints, scene: CheckpointScene) -> None:
        self._checkpoints, self._scene = checkpoints, scene
        self._at = 0
        self._run: Episode | None = None
        scene.move(checkpoints.worlds[0])

    def perform(self, step: Step, optional: bool) -> StepOutcome:
        """The outcome of a step, of an `optional` one too: the recorded one, or that of a call in a run of its own."""
        recorded = self._find_recorded(step)
        if recorded is None:
            return perform_step(DirectDoor(self.leave_checkpoints(), self._checkpoints.door), step, strict=False)
        self._at += 1
        self._scene.move(self._checkpoints.worlds[self._at])
        return replace(recorded, step=step, result=deepcopy(recorded.result))

    def leave_checkpoints(self) -> Episode:
        """The run of this variant, which begins at the checkpoint where it stands."""
        if self._run is None:
            self._run = self._checkpoints.fork(self._checkpoints.worlds[self._at])
            self._scene.move(self._run)
        return self._run

    def _find_recorded(self, step: Step) -> StepOutcome | None:
        if self._run is not None or self._at == len(self._checkpoints.played):
            return None
        recorded = self._checkpoints.played[self._at]
        same = recorded.step.operation == step.operation and repr(recorded.step.arguments) == repr(step.arguments)
        return recorded if same else None
