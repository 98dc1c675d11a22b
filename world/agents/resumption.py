"""A solution that goes on in the middle: steps that the world has seen already are answered as they were."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from world.agents.steps import Door
from world.core.errors import OperationError
from world.core.operation import Operation
from world.core.params import Arguments, Params


@dataclass(frozen=True, slots=True)
class DoneStep:
    """A call that was made before an agent took over, and the operation's answer."""

    operation: str
    arguments: Arguments
    result: Any
    is_ok: bool


class ResumedDoor:
    """A door at which the steps that are done are not done again.

    A step counts as done if the same call was accepted, after the ones that were answered before it.
    """

    def __init__(self, door: Door, operations: Mapping[str, Operation], done: Sequence[DoneStep]) -> None:
        self.name, self._door, self._operations = door.name, door, operations
        self._done, self._next = [one for one in done if one.is_ok and one.operation in operations], 0

    def do(self, operation: str, arguments: Arguments) -> Any:
        """Perform an operation, or return the answer it had. Raises StepRefused."""
        for number in range(self._next, len(self._done)):
            if self._is_same(self._done[number], operation, arguments):
                self._next = number + 1
                return self._done[number].result
        return self._door.do(operation, arguments)

    def _is_same(self, done: DoneStep, operation: str, arguments: Arguments) -> bool:
        if done.operation != operation:
            return False
        return self._validate(operation, done.arguments) == self._validate(operation, arguments) is not None

    def _validate(self, operation: str, arguments: Arguments) -> Params | None:
        try:
            return self._operations[operation].validate(arguments)
        except OperationError:
            return None

    def close(self) -> None:
        """Let go of the door."""
        self._door.close()
