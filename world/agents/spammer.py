"""An agent that writes every text it can find into every place that takes one; no honest grader rewards it."""

from collections.abc import Iterator, Sequence
from itertools import islice, product

from world.agents.examples import Examples
from world.agents.steps import Door, StepRefused
from world.run.episode import Episode

MOST_CALLS = 300
TEXTS = ("text", "body", "content", "message", "comment", "raw")


def spam(run: Episode, door: Door, *, calls: int = MOST_CALLS, texts: Sequence[str] = ()) -> int:
    """Send up to `calls` texts, the task's unless told, through every operation that takes one; returns how many were
    accepted.
    """
    accepted, texts = 0, texts or list(islice(_texts(run), 40))
    for operation, text in islice(product(_list_writing_operations(run), texts), calls):
        if run.actor.ended is not None:
            break
        try:
            example = Examples(run.host.operations, door.do).of(operation)[0]
            door.do(
                operation,
                {name: text if name in TEXTS and isinstance(value, str) else value for name, value in example.items()},
            )
            accepted += 1
        except (StepRefused, LookupError):
            continue
    return accepted


def _list_writing_operations(run: Episode) -> list[str]:
    return [
        id
        for id, operation in sorted(run.host.operations.items())
        if operation.writes
        and operation.app != "world"
        and operation.examples
        and set(operation.examples[0]) & set(TEXTS)
    ]


def _texts(run: Episode) -> Iterator[str]:
    """The task's own sentences first, then all of it at once."""
    for line in run.task.splitlines():
        if line.strip():
            yield line.strip()
    yield run.task
