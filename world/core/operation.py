"""One operation of an app: what an employee can do, and what a call of it costs and counts in."""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from world.core.call import Call
from world.core.params import Arguments, Params, validate_params

_NEXT_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
MAX_TOOL_NAME = 44  # hosts prefix `mcp__<server>__` and cut at 64
_FILLERS = frozenset({"a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"})

_DESTROYING = frozenset(
    """
    archive batch cancel change clear close convert cut delete detach dismiss edit empty enter end finish force gesture
    kick leave lock merge modify move overwrite patch put redo remove rename replace reset resolve restore revert revoke
    set sort tear transfer transition trash unassign unlink update write
    """.split()
)  # words of operation ids: what such an operation does is not only an addition

Door = Literal["rest", "mcp", "page", "world", "control"]


@dataclass(frozen=True, slots=True)
class Pool:
    """A quota of calls that several operations share: so many in `window_s` by one person, and by `everybody` together.

    Calls of the world's own people count in none, since they come by no API. Without `pages`, calls from the browser do
    not count either. `reason` is the reason given to a caller who has used it up.
    """

    name: str
    limit: int
    everybody: int | None = None
    window_s: int = 60
    reason: str | None = None
    pages: bool = True

    def counts(self, door: str) -> bool:
        """Whether a call that comes by a door takes from it."""
        return door != "world" and (self.pages or door != "page")


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing an employee can do. `limit` is the vendor's number of calls per `window_s` simulated seconds, if any;
    `units` is what a call takes of the app's common quota, `pool` the quota it is counted in together with others.

    `raises` maps each code the operation refuses with to a remark, which may be empty.
    `examples` are arguments in any seeded company: a text `$operation:path` stands for that part of what the named
    operation answers to its own first example; `after` names operations whose first example must be done before.
    """

    id: str
    app: str
    run: Callable[[Call, Any], Any]
    params: type[Params]
    writes: bool
    source: str
    scope: str = ""
    examples: tuple[Mapping[str, Any], ...] = ()
    after: tuple[str, ...] = ()
    limit: int | None = None
    window_s: int = 60
    cost_s: float | None = None
    free: bool = False
    units: int = 0
    pool: Pool | None = None
    raises: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def codes(self) -> frozenset[str]:
        """The codes the operation refuses with."""
        return frozenset(self.raises)

    @property
    def summary(self) -> str:
        """First paragraph of the docstring on one line: what an agent reads."""
        return " ".join((inspect.getdoc(self.run) or "").split("\n\n", 1)[0].split())

    @property
    def snake(self) -> str:
        """The id as a tool name: `chat.postMessage` -> `chat_post_message`, `getURLExternal` -> `get_url_external`;
        shortened if too long.
        """
        return _shorten_name(re.sub(r"[^a-z0-9]", "_", _NEXT_WORD.sub("_", self.id).lower()))

    @property
    def destroys(self) -> bool:
        """Whether a call may remove or overwrite something, and does not only add."""
        return self.writes and not _DESTROYING.isdisjoint(self.snake.split("_"))

    def validate(self, arguments: Arguments) -> Params:
        """The params model of raw arguments. Raises InvalidArguments."""
        return validate_params(self.params, arguments)


def _shorten_name(name: str) -> str:
    """Shorten a name too long for a tool: small words go first, then ends of the longest ones."""
    words = name.split("_")
    if len(name) > MAX_TOOL_NAME:
        words = [word for word in words if word not in _FILLERS]
    while len("_".join(words)) > MAX_TOOL_NAME:
        longest = max(range(len(words)), key=lambda at: len(words[at]))
        words[longest] = words[longest][:-1]
    return "_".join(words)
