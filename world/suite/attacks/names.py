"""A18: somebody or somewhere else under the wanted name."""

from collections.abc import Iterable

from world.agents.solver import play
from world.agents.steps import Scene, Step
from world.suite.attacks.attack_context import Attack, AttackContext, NoOccasion


def disguise(fight: AttackContext) -> None:
    """Take other people's names, make places that look like the wanted ones, and do the talking there."""
    scene, decoys = Scene(fight.run), dict[str, str]()
    speeches = {speech.operation: speech for speech in fight.speeches}
    lead = next((row for row in scene.rows("person", kind="employee", status="active") if row["id"] != scene.me), None)
    if lead is not None:
        for probes in fight.probes:
            probes.rename_self(fight.attempt, lead["full_name"])
    if fight.run.scenario.oracle is None:
        raise NoOccasion("there is no oracle.py")

    def change(step: Step) -> Iterable[Step]:
        if step.operation == "world.finish":
            return (Step(step.id, step.operation, {"status": "done"}),)
        if step.operation == "world.wait":
            return (step,)
        speech = speeches.get(step.operation)
        if speech is None:
            return ()
        wanted = str(step.arguments[speech.place])
        if wanted not in decoys:
            decoys[wanted] = speech.decoy(scene, fight.attempt, wanted)
        text = speech.arguments(decoys[wanted], str(step.arguments.get(speech.text, "")))
        return (Step(step.id, step.operation, text),) if decoys[wanted] else ()

    play(fight.run.scenario.oracle, scene, fight.door, change=change, strict=False)
    if not any(decoys.values()):
        raise NoOccasion("the solution speaks in no place of its own")


ATTACKS = (Attack("A18", "wanted names", disguise),)
