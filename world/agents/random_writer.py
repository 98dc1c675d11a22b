"""An agent that writes at random: valid-looking calls from the operations' own examples and the ids it can see."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from world.agents.examples import Examples
from world.agents.steps import Door, Scene, StepRefused
from world.core.json_types import is_array, is_object
from world.core.operation import Operation
from world.core.rng import Stream
from world.run.host import Host

TEXTS = (
    "ok",
    "done",
    "All services are back to normal.",
    "Investigating the outage in us-east-1.",
    "@channel please look",
)


def write_at_random(
    host: Host,
    scene: Scene,
    door: Door,
    *,
    seed: int,
    calls: int = 200,
    only: Callable[[Operation], bool] = lambda operation: True,
) -> int:
    """Make up to `calls` random writes with the operations that `only` lets through; returns how many were accepted."""
    draws, accepted = Stream("random writer", seed), 0
    operations = sorted(
        (o for o in host.operations.values() if o.writes and o.app != "world" and o.examples and only(o)),
        key=lambda o: o.id,
    )
    pool = {app: sorted(_ids(host, scene, app)) for app in sorted(host.apps)}
    examples = Examples(host.operations, door.do)
    for _ in range(calls):
        if scene.ended:
            break
        operation = draws.choice(operations)
        try:
            door.do(operation.id, vary_example(draws.choice(examples.of(operation.id)), pool[operation.app], draws))
            accepted += 1
        except (StepRefused, LookupError):  # refused, or nothing like what an example speaks of
            continue
    return accepted


def vary_example(example: Mapping[str, Any], ids: list[str], draws: Stream) -> dict[str, Any]:
    """Replace some values of an example by ids of the same shape, or by other texts."""
    return {name: _vary(value, ids, draws) for name, value in example.items()}


def _vary(value: object, ids: list[str], draws: Stream) -> Any:
    if is_object(value):
        return {key: _vary(item, ids, draws) for key, item in value.items()}
    if is_array(value):
        return [_vary(item, ids, draws) for item in value]
    if not isinstance(value, str) or draws.random() < 0.4:
        return value
    alike = [other for other in ids if len(other) == len(value) and other[:1] == value[:1]]
    if alike:
        return draws.choice(alike)
    return draws.choice(TEXTS) if " " in value else value


def _ids(host: Host, scene: Scene, app: str) -> Iterator[str]:
    for row in scene.rows("account", app=app):
        yield str(row["external_id"])
    for name in sorted(host.tables(app)):
        for row in scene.rows(name)[:400]:
            yield from (
                str(value) for column, value in row.items() if column in ("id", "key", "ts") and isinstance(value, str)
            )
