"""The address of all workers: two listening sockets, and whose each request is."""

import asyncio
import logging
import socket
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

import uvicorn

from world.core.access import Tokens
from world.server.serve import server
from world.server.workers.acceptor import Acceptor
from world.server.workers.channel import Packet
from world.server.workers.connections import HandedConnections
from world.server.workers.fleet_plane import BATCHES, OWN, fleet_plane
from world.server.workers.routing import (
    RoutingTable,
    find_controlled_world,
    find_new_name,
    find_session_owner,
    read_path,
)
from world.server.workers.supervisor import Supervisor, TellStudio
from world.server.workers.worker import WorkerSettings

log = logging.getLogger("firmament")


class Front:
    """Hands each connection to the worker that has the world of its request."""

    def __init__(
        self, supervisor: Supervisor, agent: socket.socket, control: socket.socket, own: uvicorn.Server
    ) -> None:
        self._supervisor, self._table = supervisor, supervisor.table
        self._agents = Acceptor(agent, self._hand_agent)
        self._controls = Acceptor(control, self._hand_control)
        self._own = HandedConnections(own, self._is_own, self._controls.take)
        self._tasks: set[asyncio.Task[None]] = set()
        self._chosen = [0] * len(supervisor.workers)  # when each was last given something new, in order
        supervisor.returned = self._take_back

    def close(self) -> None:
        """Accept no more."""
        self._agents.close()
        self._controls.close()

    def _take_back(self, packet: Packet) -> None:
        if packet.connection is not None:
            acceptor = self._agents if packet.kind == "agent" else self._controls
            acceptor.take(packet.connection, packet.body)

    def _hand_agent(self, connection: socket.socket, first: bytes) -> None:
        owner = self._table.find_owner(first)
        if owner is None:
            self._supervisor.drain()
            owner = self._table.find_owner(first)
        self._supervisor.give(self._least_loaded() if owner is None else owner, Packet("agent", first, connection))

    def _hand_control(self, connection: socket.socket, first: bytes) -> None:
        if self._is_own(first) or self._is_taken(first):
            task = asyncio.create_task(self._own.serve(connection, first))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            return
        world = find_controlled_world(first)
        if world not in self._table.worlds:
            self._supervisor.drain()
        name = world or find_new_name(first) or ""
        owner = self._table.worlds.get(name, find_session_owner(first, self._table.worlds))
        if owner is not None and owner >= len(self._supervisor.workers):
            owner = None
        self._supervisor.give(self._least_loaded() if owner is None else owner, Packet("control", first, connection))

    def _is_own(self, first: bytes) -> bool:
        path = read_path(first).partition("?")[0]
        return (first.startswith(b"GET ") and path in OWN) or (first.startswith(b"POST ") and path in BATCHES)

    def _is_taken(self, first: bytes) -> bool:
        """Whether a fork is to have the name of a world that another worker has."""
        world, name = find_controlled_world(first), find_new_name(first)
        if world is None or name is None:
            return False
        owner = self._table.worlds.get(name)
        return owner is not None and owner != self._table.worlds.get(world)

    def _least_loaded(self) -> int:
        """The worker with the fewest worlds, of those that serve if any does; of equals the one that waited longest."""
        loads = self._table.list_loads(len(self._supervisor.workers))
        up = [number for number, worker in enumerate(self._supervisor.workers) if worker.is_up]
        found = min(up or range(len(loads)), key=lambda number: (loads[number], self._chosen[number], number))
        self._chosen[found] = max(self._chosen) + 1
        return found


@asynccontextmanager
async def open_front(
    command: Sequence[str],
    settings: Sequence[WorkerSettings],
    agent: socket.socket,
    control: socket.socket,
    tell_studio: TellStudio,
) -> AsyncGenerator[Supervisor, None]:
    """Serve with one process for each of `settings` while the context is open. Raises RuntimeError."""
    first = settings[0]
    supervisor = Supervisor(command, settings, RoutingTable(Tokens(first.tokens_secret)), tell_studio)
    own = server(fleet_plane(supervisor, first.control_secret), lifespan="off")
    running = asyncio.create_task(own.serve(sockets=[]))
    try:
        supervisor.start()
        await supervisor.wait_until_up()
        while not own.started:
            await asyncio.sleep(0.005)
        front = Front(supervisor, agent, control, own)
        try:
            yield supervisor
        finally:
            front.close()
    finally:
        await supervisor.close()
        own.should_exit = True
        await asyncio.gather(running, return_exceptions=True)
