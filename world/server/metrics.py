"""Health of the worlds of a process, in Prometheus' text form."""

from collections.abc import Callable, Iterable

from world.run.host import Host
from world.run.turns import LONG_S, Queue

MOST_LABELLED = 50  # worlds named one by one: those that held the thread longest
PER_WORLD: tuple[tuple[str, str, str, Callable[[Queue], float]], ...] = (
    ("steps_total", "counter", "Steps computed.", lambda one: one.steps),
    ("long_steps_total", "counter", f"Steps that held the thread longer than {LONG_S} s.", lambda one: one.long_steps),
    ("held_seconds_total", "counter", "Time the thread was held.", lambda one: one.held),
    ("longest_hold_seconds", "gauge", "The longest step.", lambda one: one.longest),
    ("waiting", "gauge", "Steps that wait for their turn.", lambda one: len(one.waiting)),
    ("slowed", "gauge", "Whether the world waits in the lane of the slow.", lambda one: one.is_slowed),
)


def render_metrics(host: Host) -> str:
    """All figures of a process."""
    queues = host.turns.queues
    longest = max((one.longest for one in queues.values()), default=0.0)
    lines = [
        *_describe("worlds", "gauge", "Worlds that are open.", [("", len(host.actors))]),
        *_describe(
            "worlds_quarantined", "gauge", "Worlds closed for what broke.", [("", len(host.quarantined.closed))]
        ),
        *_describe("longest_hold_seconds", "gauge", "The longest step of all.", [("", longest)]),
    ]
    shown = sorted(queues.items(), key=lambda one: (-one[1].longest, one[0]))[:MOST_LABELLED]
    for name, kind, text, read in PER_WORLD:
        values = [(f'{{world="{_escape(world)}"}}', read(queue)) for world, queue in shown]
        lines += _describe(f"world_{name}", kind, text, values)
    return "\n".join(lines) + "\n"


def _describe(name: str, kind: str, text: str, values: Iterable[tuple[str, float]]) -> list[str]:
    name = f"firmament_{name}"
    return [f"# HELP {name} {text}", f"# TYPE {name} {kind}", *(f"{name}{label} {+value:g}" for label, value in values)]


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
