"""Examples of operations made concrete: `$operation:path` in one stands for a part of what that operation answers."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from world.core.json_types import is_array, is_object
from world.core.operation import Operation

_PART = re.compile(r"\$([A-Za-z][\w./-]*):([\w.-]+)")
Perform = Callable[[str, Mapping[str, Any]], Any]


class Examples:
    """The examples of one world as one person. Prerequisites are done first, each operation once, through `perform`."""

    def __init__(self, operations: Mapping[str, Operation], perform: Perform) -> None:
        self._operations, self._perform = operations, perform
        self._results: dict[str, Any] = {}

    def of(self, operation: str) -> list[dict[str, Any]]:
        """Return the arguments of each example of an operation, its prerequisites done. Lets refusals through."""
        declared = self._operations[operation]
        for earlier in declared.after:
            self._result(earlier)
        return [self._fill(dict(example)) for example in declared.examples]

    def _result(self, operation: str) -> Any:
        if operation not in self._results:
            self._results[operation] = self._perform(operation, self.of(operation)[0])
        return self._results[operation]

    def _fill(self, value: Any) -> Any:
        if is_object(value):
            return {name: self._fill(item) for name, item in value.items()}
        if is_array(value):
            return [self._fill(item) for item in value]
        named = _PART.fullmatch(value) if isinstance(value, str) else None
        return part(self._result(named[1]), named[2]) if named else value


def part(value: Any, path: str) -> Any:
    """`channel.id`, `0.id`; a number also picks from the parts of an address. Raises LookupError."""
    for step in path.split("."):
        found = value.split("/") if isinstance(value, str) else value
        try:
            value = found[step] if is_object(found) else found[int(step)]
        except (KeyError, IndexError, ValueError, TypeError) as error:
            raise LookupError(f"no {step!r} of {path}") from error
    return value
