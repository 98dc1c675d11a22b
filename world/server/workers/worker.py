"""A worker: one world host in a process that the parent starts. The connections it serves come through a channel; its
end is the end of the worker.
"""

import asyncio
import signal
import socket
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

import orjson

from world.core.access import Record
from world.grading.judge import Judge
from world.run.host import Host, open_host
from world.server.control_state import Plane
from world.server.retention_limits import RetentionLimits
from world.server.serve import RunningServer, listening
from world.server.workers.channel import Packet, receive, send
from world.server.workers.connections import HandedConnections
from world.server.workers.routing import (
    find_addressed_world,
    find_controlled_world,
    list_credentials,
    read_path,
)
from world.server.world_trajectories import WorldTrajectories

NEWS_AT_ONCE = 500
OOM_SCORE = Path("/proc/self/oom_score_adj")
FIRST_TO_GO = "500"  # of 1,000: where memory ends, a worker goes rather than the parent, who starts it again
OpenStudio = Callable[[Plane], AbstractAsyncContextManager[Callable[[], str]]]  # gives what makes links
NAMING = ("/fork", "/salvage")  # these name new worlds, which no two workers may name alike


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """Settings of one worker. Paths are absolute."""

    number: int
    image: str
    worlds: str
    book: str
    tokens_secret: str
    control_secret: str
    public_url: str
    allow_hosts: tuple[str, ...] = ()
    limits: RetentionLimits = field(default_factory=RetentionLimits)

    def to_packet(self) -> Packet:
        """The first packet a worker gets."""
        return Packet("settings", orjson.dumps(asdict(self)))

    @staticmethod
    def of(packet: Packet) -> "WorkerSettings":
        """Read the settings from the first packet."""
        read: dict[str, Any] = orjson.loads(packet.body)
        allowed, limits = tuple(read.pop("allow_hosts")), RetentionLimits(**read.pop("limits"))
        return WorkerSettings(allow_hosts=allowed, limits=limits, **read)


class Worker:
    """One world host behind the parent's address."""

    def __init__(self, channel: socket.socket, host: Host, up: RunningServer) -> None:
        self._channel, self._host, self._up = channel, host, up
        self._tasks: set[asyncio.Task[None]] = set()
        self.ended = asyncio.Event()
        agents, control = up.servers
        self._planes = {
            "agent": HandedConnections(agents, self._is_own_request, partial(self._give_back, "agent")),
            "control": HandedConnections(control, self._is_own_control, partial(self._give_back, "control")),
        }

    def begin(self, studio: str) -> None:
        """Tell what is here and the link to its studio, then take connections."""
        host, plane = self._host, self._up.plane
        written = [{"do": "made", "world": name} for name in host.store.names()]
        self._tell([{"do": "started"}, *written, *host.tokens.list_records()])
        keep = host.tokens.keep

        def keep_and_tell(record: Record) -> None:
            if keep is not None:
                keep(record)
            self._tell([record])

        host.tokens.keep = keep_and_tell
        plane.watchers.append(
            lambda world, is_made: self._tell([{"do": "made" if is_made else "gone", "world": world}])
        )
        send(self._channel, Packet("up", studio.encode()), wait=True)
        asyncio.get_running_loop().add_reader(self._channel, self._receive)

    def _tell(self, news: Iterable[Record]) -> None:
        """Send news before the answer that they come from: whoever has the answer is known to the parent."""
        waiting = [*news]
        while waiting:
            now, waiting = waiting[:NEWS_AT_ONCE], waiting[NEWS_AT_ONCE:]
            send(self._channel, Packet("news", orjson.dumps(now)), wait=True)

    def _receive(self) -> None:
        while True:
            try:
                packet = receive(self._channel)
            except BlockingIOError:
                return
            if packet is None:  # the parent is gone
                asyncio.get_running_loop().remove_reader(self._channel)
                self.ended.set()
                return
            if packet.connection is not None:
                task = asyncio.create_task(self._planes[packet.kind].serve(packet.connection, packet.body))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def _give_back(self, kind: Literal["agent", "control"], connection: socket.socket, first: bytes) -> None:
        send(self._channel, Packet(kind, first, connection), wait=True)

    def _is_own_request(self, data: bytes) -> bool:
        tokens = self._host.tokens
        found = [one for word in list_credentials(data) if (one := tokens.resolve(word)) is not None]
        return bool(found) or (find_addressed_world(data) or "") in self._host.actors

    def _is_own_control(self, data: bytes) -> bool:
        world = find_controlled_world(data)
        if world is None or read_path(data).endswith(NAMING):
            return False
        return world in self._host.actors or self._host.store.holds(world)


async def serve(channel: socket.socket, judge: Judge | None, open_studio: OpenStudio) -> None:
    """Serve what comes through a channel until its end, or until the process is asked to end. `open_studio` shows its
    worlds.
    """
    first = await _receive_first(channel)
    if first is None:
        return
    settings = WorkerSettings.of(first)
    with suppress(OSError):  # no Linux, or not allowed
        OOM_SCORE.write_text(FIRST_TO_GO, encoding="ascii")
    host = open_host(
        Path(settings.image), Path(settings.worlds), secret=settings.tokens_secret, book=Path(settings.book)
    )
    try:
        async with listening(
            host,
            None,
            None,
            secret=settings.control_secret,
            allow_hosts=settings.allow_hosts,
            judge=judge,
            public_url=settings.public_url,
            limits=settings.limits,
        ) as up:
            up.plane.suffix = f"-{settings.number}" if settings.number else ""
            worlds = Path(settings.worlds)
            kept = worlds.with_name(worlds.name.replace("worlds", "trajectories", 1))
            up.plane.trajectories = WorldTrajectories(host, kept)
            worker = Worker(channel, host, up)
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.ended.set)
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent says when it is over
            async with open_studio(up.plane) as make_link:
                worker.begin(make_link())
                warming = asyncio.create_task(up.warm())
                await worker.ended.wait()
                warming.cancel()
    finally:
        host.store.close()


async def _receive_first(channel: socket.socket) -> Packet | None:
    ready = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(channel, ready.set)
    await ready.wait()
    loop.remove_reader(channel)
    return receive(channel)
