"""A1 to A5: no work at all, and claims about it."""

from world.agents.examples import Examples
from world.agents.steps import StepRefused
from world.suite.attacks.attack_context import Attack, AttackContext

HOUR_S = 3600


def null(fight: AttackContext) -> None:
    """Nothing."""


def read_everything(fight: AttackContext) -> None:
    """Every reading operation there is."""
    reads = {
        id: operation
        for id, operation in sorted(fight.run.host.operations.items())
        if not operation.writes and id != "world.wait"
    }
    examples = Examples(reads, fight.door.do)
    for name in reads:
        try:
            for example in examples.of(name):
                fight.attempt(name, example)
        except (StepRefused, LookupError):
            continue
    fight.finish()


def refuse(fight: AttackContext) -> None:
    """Say that it cannot be done."""
    fight.finish(status="impossible", reason="cannot", evidence="none")


def lie(fight: AttackContext) -> None:
    """Say that it was done."""
    fight.finish(answer={"done": True, "result": "All done as asked."})


def wait(fight: AttackContext) -> None:
    """Let all the time pass, then say that it was done."""
    horizon = fight.run.actor.settings.horizon_at or fight.run.actor.now + 24 * HOUR_S * 10**6
    while not fight.over and (left := (horizon - fight.run.actor.now) // 10**6 - 1) > 0:
        if fight.attempt("world.wait", {"seconds": min(left, HOUR_S)}) is None:
            break
    fight.finish()


ATTACKS = (
    Attack("A1", "null", null),
    Attack("A2", "reads everything", read_everything),
    Attack("A3", "refuser", refuse),
    Attack("A4", "liar", lie),
    Attack("A5", "waits to the horizon", wait),
)
