"""Double submits: the same form, made from the same state, with the same content, is served once."""

from collections import OrderedDict
from typing import Any

from world.core.principal import Principal
from world.core.rng import digest

KEPT = 4096


class RecentSubmissions:
    """Remembers the latest submissions of a process and what they answered."""

    def __init__(self) -> None:
        self._seen: OrderedDict[bytes, Any] = OrderedDict()

    def key(self, principal: Principal, version: int, operation: str, arguments: dict[str, Any]) -> bytes:
        """Names a submission."""
        content = repr(sorted(arguments.items()))
        return digest(principal.world, principal.generation, principal.person, version, operation, content)

    def has(self, key: bytes) -> bool:
        """Whether it was served before."""
        return key in self._seen

    def answer(self, key: bytes) -> Any:
        """Return the answer that it got."""
        return self._seen[key]

    def keep(self, key: bytes, answer: object) -> None:
        """Remember it."""
        self._seen[key] = answer
        while len(self._seen) > KEPT:
            self._seen.popitem(last=False)
