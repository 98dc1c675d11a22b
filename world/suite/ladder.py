"""A ladder of five scripted agents: the solution played with mistakes, fewer on each rung.

The mistakes are those of the gate's mutants, so they need no model and no knowledge of a task. A rung knows nothing of a
chore's own traps; it says how far a grader tells better work from worse.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from world.agents.solver import play
from world.agents.steps import DirectDoor, Scene, Step
from world.core.rng import Stream
from world.gate.mutants import mutants
from world.run.episode import Episode


@dataclass(frozen=True, slots=True)
class Rung:
    """Chances that an agent leaves a writing step out, or does it with one argument wrong."""

    leaves_out: float
    alters: float


RUNGS = {  # from the worst to the best
    "forgetful": Rung(0.45, 0.05),
    "hasty": Rung(0.15, 0.25),
    "literal": Rung(0.05, 0.20),
    "careful": Rung(0.03, 0.05),
    "slips": Rung(0.0, 0.03),
}


def climb(run: Episode, name: str, attempt: int) -> None:
    """Play the solution of a run's scenario as an agent of the ladder. Raises LookupError without a solution."""
    if run.scenario.oracle is None:
        raise LookupError(f"{run.scenario.name} has no solution")
    scene, rung = Scene(run), RUNGS[name]
    rng = Stream(run.seed, "ladder", name, run.scenario.name, attempt)
    play(
        run.scenario.oracle,
        scene,
        DirectDoor(run, "mcp"),
        change=lambda step: _err(run, scene, rung, rng, step),
        strict=False,
    )


def _err(run: Episode, scene: Scene, rung: Rung, rng: Stream, step: Step) -> Iterable[Step]:
    """The step, or what the rung makes of it; waits and readings are always right, and everybody finishes."""
    operation = run.host.operation(step.operation)
    if not operation.writes or operation.app == "world":
        return (step,)
    draw = rng.random()
    if draw < rung.leaves_out:
        return ()
    if draw < rung.leaves_out + rung.alters:
        wrong = list(mutants(step, scene, run.host.apps[operation.app]))
        if wrong:
            chosen = rng.choice(wrong)
            return chosen.change({step.id: step})(step)
    return (step,)
