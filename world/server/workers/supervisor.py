"""Starts the workers, watches them, and starts each again that ends."""

import asyncio
import logging
import os
import socket
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import orjson

from world.core.clock import wall_seconds
from world.server.workers.channel import Outbox, Packet, open_pair, receive
from world.server.workers.routing import RoutingTable
from world.server.workers.worker import WorkerSettings

log = logging.getLogger("firmament")
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 10.0
STEADY_S = 30.0  # a worker that lived this long is started again at once
END_S = 10.0
MOST_WAITING = 1_024  # connections for one worker: more come back later
BUSY = b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


@dataclass
class WorkerProcess:
    """One worker as the parent sees it."""

    settings: WorkerSettings
    outbox: Outbox = field(default_factory=Outbox)
    process: subprocess.Popen[bytes] | None = None
    channel: socket.socket | None = None
    studio: str = ""
    is_up: bool = False
    restarts: int = 0
    started_at: float = 0.0
    pause: float = FIRST_PAUSE_S


Returned = Callable[[Packet], None]
TellStudio = Callable[[WorkerProcess], None]


class Supervisor:
    """The workers of one server. `returned` takes the connections they give back, `tell_studio` is called with a worker
    that is up and has a link to its studio.
    """

    def __init__(
        self,
        command: Sequence[str],
        settings: Sequence[WorkerSettings],
        table: RoutingTable,
        tell_studio: TellStudio = lambda worker: None,
    ) -> None:
        self._command, self.table, self.tell_studio = tuple(command), table, tell_studio
        self.workers = [WorkerProcess(one) for one in settings]
        self.returned: Returned = _hang_up
        self.changed = asyncio.Event()  # set whenever a worker is up or gone
        self._loop = asyncio.get_running_loop()
        self._is_closing = False

    def start(self) -> None:
        """Start every worker."""
        for worker in self.workers:
            self._start(worker)

    async def wait_until_up(self) -> None:
        """Return when all workers serve. Raises RuntimeError when one cannot start."""
        while not all(worker.is_up for worker in self.workers):
            self.changed.clear()
            for worker in self.workers:
                if worker.restarts > 2 and not worker.is_up:
                    raise RuntimeError(f"worker {worker.settings.number} does not start; see the messages above")
            await self.changed.wait()

    def drain(self) -> None:
        """Take in all news that workers have sent."""
        for worker in self.workers:
            self._receive(worker)

    async def close(self) -> None:
        """Ask all workers to end what they are at, and wait for them."""
        self._is_closing = True
        for worker in self.workers:
            if worker.process is not None and worker.process.poll() is None:
                worker.process.terminate()
        ended = asyncio.gather(*(self._wait(worker) for worker in self.workers))
        with suppress(TimeoutError):
            await asyncio.wait_for(ended, END_S)
        for worker in self.workers:
            self._part(worker)
            worker.outbox.close()
            if worker.process is not None and worker.process.poll() is None:
                worker.process.kill()
                worker.process.wait()

    async def _wait(self, worker: WorkerProcess) -> None:
        while worker.process is not None and worker.process.poll() is None:
            await asyncio.sleep(0.02)

    def _start(self, worker: WorkerProcess) -> None:
        here, there = open_pair()
        here.setblocking(False)
        worker.process = subprocess.Popen(
            [*self._command, str(there.fileno())], pass_fds=[there.fileno()], stdin=subprocess.DEVNULL, env=os.environ
        )
        there.close()
        worker.channel, worker.started_at = here, wall_seconds()
        first = Outbox()
        first.end = here
        first.put(worker.settings.to_packet())
        self._loop.add_reader(here, self._receive, worker)

    def _receive(self, worker: WorkerProcess) -> None:
        while worker.channel is not None:
            try:
                packet = receive(worker.channel)
            except BlockingIOError:
                return
            except OSError:
                packet = None
            if packet is None:
                self._lose(worker)
                return
            self._take(worker, packet)

    def _take(self, worker: WorkerProcess, packet: Packet) -> None:
        if packet.connection is not None:
            self.returned(packet)
        elif packet.kind == "news":
            self.table.learn(worker.settings.number, orjson.loads(packet.body))
        else:
            worker.is_up, worker.outbox.end, worker.studio = True, worker.channel, packet.body.decode()
            self.tell_studio(worker)
            self.flush(worker)
            self.changed.set()

    def give(self, number: int, packet: Packet) -> None:
        """Hand a connection to a worker; where that is not up, as soon as it is. One too many is told to come again."""
        worker = self.workers[number]
        if packet.connection is not None and len(worker.outbox) >= MOST_WAITING:
            _turn_away(packet.connection)
            return
        worker.outbox.put(packet)
        self.flush(worker)

    def flush(self, worker: WorkerProcess) -> None:
        """Send what waits for a worker, now or when it can take more."""
        if worker.channel is None:
            return
        if worker.outbox.flush() or worker.outbox.end is None:
            self._loop.remove_writer(worker.channel)
        else:
            self._loop.add_writer(worker.channel, self.flush, worker)

    def _lose(self, worker: WorkerProcess) -> None:
        """Note that a worker is gone, and start another in its place. Its worlds open again on their next use."""
        self._part(worker)
        if self._is_closing:
            return
        worker.restarts += 1
        lived = wall_seconds() - worker.started_at
        worker.pause = FIRST_PAUSE_S if lived > STEADY_S else min(worker.pause * 2, LONGEST_PAUSE_S)
        log.error("worker %d ended; it is started again in %.1f s", worker.settings.number, worker.pause)
        self._loop.call_later(worker.pause, self._start_again, worker)
        self.changed.set()

    def _start_again(self, worker: WorkerProcess) -> None:
        if self._is_closing:
            return
        if worker.process is not None:
            if worker.process.poll() is None:  # its channel is gone, but it is not
                worker.process.kill()
            worker.process.wait()
        self._start(worker)

    def _part(self, worker: WorkerProcess) -> None:
        worker.is_up, worker.outbox.end = False, None
        if worker.channel is not None:
            self._loop.remove_reader(worker.channel)
            self._loop.remove_writer(worker.channel)
            worker.channel.close()
            worker.channel = None


def _turn_away(connection: socket.socket) -> None:
    """Answer that the worker is busy."""
    with suppress(OSError):  # they may be gone
        connection.setblocking(False)
        connection.send(BUSY)
        connection.shutdown(socket.SHUT_WR)
    connection.close()


def _hang_up(packet: Packet) -> None:
    if packet.connection is not None:
        packet.connection.close()
