"""Worlds in which something broke that nobody foresaw: closed to their callers, while the host and every other world
go on.

A refusal, an emulated outage and a full disk are foreseen. A quarantined world takes no call; the control plane still
reads its calls, its changes and its log.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass

import apsw
from sqlalchemy.exc import DatabaseError

from world.core.errors import OperationError
from world.run.failures import describe
from world.script.errors import ScenarioError
from world.store import NoRoom, StoreError

log = logging.getLogger("firmament")
DAMAGE = (apsw.CorruptError, apsw.NotADBError)


@dataclass(frozen=True, slots=True)
class Quarantine:
    """Reason why a world is closed. `doing` is the interrupted work, `error` the error's kind, `cause` its text."""

    doing: str
    error: str
    cause: str


class WorldQuarantined(Exception):
    """The world takes no calls. Doors answer 503 in their vendor's shape; the control plane says why."""

    def __init__(self, world: str, why: Quarantine) -> None:
        super().__init__(f"world {world} is quarantined: {why.doing} broke ({why.error}: {why.cause})")
        self.world, self.why = world, why


FORESEEN = (OperationError, NoRoom, ScenarioError, WorldQuarantined)


class QuarantinedWorlds:
    """The quarantined worlds of one process. A restart forgets them: a world that is still broken comes back here."""

    def __init__(self) -> None:
        self._closed: dict[str, Quarantine] = {}

    def __contains__(self, world: object) -> bool:
        return world in self._closed

    @property
    def closed(self) -> Mapping[str, Quarantine]:
        """Closed worlds, with the reason of each."""
        return self._closed

    def check(self, world: str) -> None:
        """Let nobody into a closed world. Raises WorldQuarantined."""
        if world in self._closed:
            raise WorldQuarantined(world, self._closed[world])

    def close(self, world: str, doing: str, error: Exception) -> WorldQuarantined:
        """Close a world for what broke in it, and say so; the first reason stays."""
        if world not in self._closed:
            self._closed[world] = Quarantine(doing, type(error).__name__, describe(error))
            log.error("world %s is quarantined: %s broke", world, doing, exc_info=error)
        return WorldQuarantined(world, self._closed[world])

    def release(self, world: str) -> None:
        """Open a world again. Raises LookupError for one that is not closed."""
        if world not in self._closed:
            raise LookupError(f"world {world} is not quarantined")
        del self._closed[world]

    def forget(self, world: str) -> None:
        """Drop a world that is no more."""
        self._closed.pop(world, None)


def is_damage(error: BaseException) -> bool:
    """Whether an error says that the rows of a world cannot be read, whichever layer raised it."""
    found = getattr(error.orig, "__cause__", None) if isinstance(error, DatabaseError) else error
    return isinstance(found, DAMAGE) or (isinstance(found, StoreError) and not isinstance(found, NoRoom))
