"""What the examples of an app's operations come to."""

from collections.abc import Callable
from typing import Any

from tests.company import as_person
from world.agents.examples import Examples
from world.core.errors import OperationError
from world.core.settings import Settings
from world.run.host import Host


def outcome(
    host: Host, operation: str, ask: Callable[[dict[str, Any]], Any], status: Callable[[OperationError], int]
) -> list[Any]:
    """What the examples of an operation come to in a new world; a refusal is its status."""
    host.drop("w")
    host.create("w", Settings(limits="off"))
    examples = Examples(host.operations, lambda name, given: host.call(as_person(host, "ada"), "rest", name, given))
    found = []
    for example in examples.of(operation):
        try:
            found.append(ask(example))
        except OperationError as problem:
            found.append(status(problem))
    return found
