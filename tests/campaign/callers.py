"""Worlds and people of a part: a plane, an attacker per app, and examples of every operation."""

import shutil
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any

from tests.campaign.part import Ground
from world.agents.examples import Examples
from world.bench.attacker import Attacker
from world.bench.local_plane import LocalPlane
from world.core import discovery
from world.core.errors import OperationError
from world.core.operation import Operation
from world.core.settings import Settings
from world.run.host import Host, open_host
from world.web.rest_door import find_rest_door

ME = "p_0002"
ENDS = "world.finish"


@contextmanager
def open_plane(ground: Ground, name: str) -> Generator[LocalPlane, None, None]:
    """A plane over a host of its own, which goes with its worlds."""
    folder = ground.scratch / name
    host = open_host(ground.company, folder / "worlds")
    plane = LocalPlane(host)
    try:
        warm(plane)
        yield plane
    finally:
        plane.close()
        host.store.close()
        shutil.rmtree(folder)


def warm(plane: LocalPlane) -> None:
    """Ask for one page of every app and for one query: what is built at the first request is built."""
    plane.host.create("warm", Settings(limits="off"))
    for app in (one.name for one in discovery.apps()):
        at = Attacker(plane, "warm", ME, app)
        at.page("/more")
        at.tool("x", {})
    Attacker(plane, "warm", ME, "github").post("/api/graphql", {"query": "{ viewer { login } }"})
    plane.host.drop("warm")
    plane.settle()


@dataclass
class Callers:
    """One person's attackers in one world at a time; a fresh world follows when one was used long enough."""

    plane: LocalPlane
    person: str = ME
    prefix: str = "fuzz"
    lasts: int = 2_000  # requests after which a world is left for a fresh one
    _numbers: Iterator[int] = field(default_factory=count)
    closed: int = 0  # worlds that broke and were closed
    _used: int = 0
    _at: dict[str, Attacker] = field(default_factory=dict[str, Attacker])

    @property
    def host(self) -> Host:
        """Whose worlds these are."""
        return self.plane.host

    def of(self, app: str) -> Attacker:
        """The person in an app of the present world."""
        broke = bool(self._at) and self.world in self.host.quarantined
        self.closed += broke
        if not self._at or broke or self._used >= self.lasts:
            self.renew()
        self._used += 1
        if app not in self._at:
            self._at[app] = Attacker(self.plane, self.world, self.person, app)
        made = self._at[app]
        made.answers.clear()
        return made

    def renew(self) -> None:
        """Leave the world for a fresh one."""
        if self._at:
            self.host.drop(self.world)
        self.world = f"{self.prefix}-{next(self._numbers)}"
        self.host.create(self.world, Settings(limits="off"))
        self._at, self._used = {"world": Attacker(self.plane, self.world, self.person, "world")}, 0


def list_operations(host: Host, *, with_rest: bool = False) -> list[Operation]:
    """Every operation but the one that ends the episode, by id."""
    found = [one for _, one in sorted(host.operations.items()) if one.id != ENDS]
    return [one for one in found if find_rest_door(one.app) is not None] if with_rest else found


def find_examples(host: Host, person: str = ME) -> dict[str, list[dict[str, Any]]]:
    """Arguments with which each operation would go through, by id; what they need is done in a world of its own."""
    world = "examples"
    host.create(world, Settings(limits="off"))
    known = Examples(host.operations, partial(host.call, host.principal(world, person), "rest"))
    found: dict[str, list[dict[str, Any]]] = {}
    for id in sorted(host.operations):
        if id == ENDS:
            continue
        try:
            found[id] = known.of(id) or [{}]
        except (LookupError, OperationError):
            found[id] = [{}]
    return found
