"""Keeps the worlds of a server in order: a time to live for those nobody uses, a limit of their number and of their size."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress

from world.core.clock import wall_epoch_seconds, wall_seconds
from world.run.host import Host
from world.server.retention_limits import RetentionLimits
from world.store import BusyError, StoreError

log = logging.getLogger("firmament")
SWEEP_S = 5.0  # between two looks at all worlds
GRACE_S = 60.0  # a world that was used so lately is not dropped for room


class TooManyWorlds(Exception):
    """A new world beyond the limit. Nothing was made."""


class Retention:
    """Knows when each world of a process was last used. `list_worlds` and `drop` are the control plane's."""

    def __init__(
        self,
        host: Host,
        list_worlds: Callable[[], Iterable[str]],
        drop: Callable[[str], None],
        limits: RetentionLimits | None = None,
    ) -> None:
        self.limits = limits or RetentionLimits()
        self._host, self._list, self._drop = host, list_worlds, drop
        self._used: dict[str, float] = {}
        self._idle_s: dict[str, float | None] = {}

    def check_room(self, wanted: int = 1) -> None:
        """Raises TooManyWorlds if so many new worlds would exceed the limit."""
        most = self.limits.most_worlds
        if most is not None and self._host.store.count_worlds() + wanted > most:
            raise TooManyWorlds(
                f"this server keeps {most} worlds at most; drop some, or wait until idle ones are dropped"
            )

    def begin(self, world: str, idle_s: float | None) -> None:
        """Note a new world that lives for so many idle seconds; None: without end."""
        self._used[world], self._idle_s[world] = wall_seconds(), idle_s

    def inherit(self, world: str, parent: str) -> None:
        """Note a new world that lives as long as another."""
        self.begin(world, self.find_idle_limit(parent))

    def note_use(self, world: str) -> None:
        """Note that somebody asked the control plane about a world; agents' calls are known already."""
        self._used[world] = wall_seconds()

    def forget(self, world: str) -> None:
        """Drop what is known of a world that is no more."""
        self._used.pop(world, None)
        self._idle_s.pop(world, None)

    def find_idle_limit(self, world: str) -> float | None:
        """Seconds after which a world that nobody uses is dropped; None: never."""
        return self._idle_s.get(world, self.limits.idle_s)

    def measure_idle(self, world: str, now: float) -> float:
        """Seconds since a world was used; of one that an earlier process left, since it was written."""
        queue = self._host.turns.queues.get(world)
        used = max(self._used.get(world, float("-inf")), queue.last if queue is not None else float("-inf"))
        if used > float("-inf"):
            return max(0.0, now - used)
        written = self._host.store.find_write_time(world)
        return max(0.0, wall_epoch_seconds() - written) if written is not None else 0.0

    def sweep(self, now: float) -> list[str]:
        """Drop the worlds whose time is over, then the longest unused ones until all fit. Returns their names."""
        idle = {world: self.measure_idle(world, now) for world in self._list_candidates()}
        over = [world for world, since in idle.items() if _exceeds(since, self.find_idle_limit(world))]
        dropped = [world for world in over if self._try_drop(world)]
        return dropped + self._make_room({world: since for world, since in idle.items() if world not in dropped})

    def _list_candidates(self) -> list[str]:
        """The worlds that may be due: all where the server has limits, else those with a time of their own."""
        if self.limits.idle_s is None and self.limits.most_bytes is None:
            return sorted(world for world, idle_s in self._idle_s.items() if idle_s is not None)
        return list(self._list())

    def _make_room(self, idle: dict[str, float]) -> list[str]:
        if self.limits.most_bytes is None:
            return []
        sizes = {world: self._host.store.measure_size(world) for world in idle}
        total, dropped = sum(sizes.values()), list[str]()
        for world in sorted(idle, key=lambda one: -idle[one]):
            if total <= self.limits.most_bytes:
                break
            if sizes[world] and idle[world] >= GRACE_S and self._try_drop(world):
                total -= sizes[world]
                dropped.append(world)
        return dropped

    def _try_drop(self, world: str) -> bool:
        """Drop a world unless it is in use or its log cannot be read; whoever looks at those decides."""
        with suppress(BusyError, StoreError):
            self._drop(world)
            return True
        return False

    async def run(self) -> None:
        """Sweep again and again."""
        while True:
            await asyncio.sleep(SWEEP_S)
            if dropped := self.sweep(wall_seconds()):
                log.info("dropped %d worlds that nobody used, %s first", len(dropped), dropped[0])


def _exceeds(since: float, limit: float | None) -> bool:
    return limit is not None and since >= limit
