"""Failures inside a world without a caller: of an event, a trigger, or a colleague's answer.

A world keeps each failure once, with its cause. The text is a function of the world: it has no paths and no addresses.
"""

import logging
import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import orjson

from world.core.call import Call
from world.script.errors import ScenarioError
from world.store import Bound
from world.store.queries import rows

if TYPE_CHECKING:
    from world.run.actor import Actor

log = logging.getLogger("firmament")
FAILED = "failed"  # status of the call row of what failed
MOST_TEXT = 300  # characters of a cause
_ADDRESS, _FOLDER = re.compile(r"0x[0-9a-f]+"), re.compile(r"[^\s'\"]*[/\\](?=[^\s/\\'\"])")


@dataclass(frozen=True, slots=True)
class Failure:
    """One thing that failed. `seq` is the call it is recorded as, `error` the kind of its cause."""

    seq: int
    event: str
    error: str
    cause: str

    @property
    def of_author(self) -> bool:
        """Whether a scenario's own code is wrong."""
        return self.error == ScenarioError.__name__


def remember(call: Call, event: str, error: Exception) -> Failure:
    """Keep a failure in the world and tell the operator's log; `event` is what failed."""
    made = Failure(call.seq, event, type(error).__name__, describe(error))
    number = len(list_failures(call.bound))
    call.remember(f"failed:{number}", {**asdict(made)})
    log.error("%s failed and is not tried again: %s", event, error, exc_info=error)
    return made


def describe(error: Exception) -> str:
    """The cause in one line. Where a recursion ends depends on the door, so nothing is said of that."""
    if isinstance(error, RecursionError):
        return "recursion without end"
    return _ADDRESS.sub("0x", _FOLDER.sub("", str(error).partition("\n")[0]))[:MOST_TEXT]


def list_failures(bound: Bound) -> list[Failure]:
    """List the failures in a world, oldest first."""
    kept = rows(bound, "SELECT value FROM _state WHERE key LIKE 'failed:%' ORDER BY length(key), key")
    return [Failure(**orjson.loads(text)) for (text,) in kept]


def tell_mistakes(actor: "Actor") -> None:
    """Report the mistakes of a scenario whose code has failed in a world. Raises ScenarioError."""
    if actor.events.mistakes:
        raise actor.events.mistakes[0]
