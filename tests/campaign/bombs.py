"""Bombs at every parser, each in a world of its own: how long each holds the store's thread."""

from tests.campaign.part import LONG_MS, Figures, Ground, Part
from world.bench.bombs import list_bombs, measure_all

LEAST = 60  # kinds


def run(ground: Ground) -> Figures:
    """Every bomb at scale 1, and one in so many below."""
    names = [name for _, name, _ in list_bombs()]
    chosen = names[:: max(1, round(1 / ground.scale))]
    (ground.scratch / "bombs").mkdir()
    found = measure_all(ground.company, ground.scratch / "bombs", chosen)
    held = {name: round(one["held_ms"], 1) for name, one in found["bombs"].items()}
    return {
        "done": len(held),
        "five_hundreds": sum(status >= 500 for one in found["bombs"].values() for status in one["statuses"]),
        "worlds_closed": sum(one["closed"] for one in found["bombs"].values()),
        "long_holds": sum(value > LONG_MS for value in held.values()),
        "longest_hold_ms": round(found["hostile_hold_ms_max"], 1),
        "million_additions_ms": round(found["loop_ms"], 1),
        "held_ms": held,
    }


part = Part("bombs", 0, "kinds of bombs", ("five_hundreds", "worlds_closed"), run)
