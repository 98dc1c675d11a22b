"""What one worker, and one address, hold at most."""

import asyncio
import socket

import pytest

from world.core.access import Tokens
from world.server.workers import acceptor, supervisor
from world.server.workers.acceptor import Acceptor
from world.server.workers.channel import Packet
from world.server.workers.routing import RoutingTable
from world.server.workers.supervisor import Supervisor
from world.server.workers.worker import WorkerSettings

MOST = 3


def test_a_connection_too_many_for_a_worker_is_told_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "MOST_WAITING", MOST)
    settings = WorkerSettings(0, "", "", "", "t" * 32, "c", "")

    async def crowd() -> list[bytes]:
        known = Supervisor((), [settings], RoutingTable(Tokens("t" * 32)))
        pairs = [socket.socketpair() for _ in range(MOST + 2)]
        for _, there in pairs:
            known.give(0, Packet("agent", b"GET / HTTP/1.1\r\n\r\n", there))
        assert len(known.workers[0].outbox) == MOST
        told = [here.recv(1024) for here, _ in pairs[MOST:]]
        await known.close()
        for here, _ in pairs:
            here.close()
        return told

    told = asyncio.run(crowd())
    assert len(told) == 2 and all(one.startswith(b"HTTP/1.1 429 ") and b"retry-after: 1\r\n" in one for one in told)


def test_who_has_been_silent_longest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acceptor, "MOST_READING", MOST)
    handed: list[bytes] = []

    async def crowd() -> None:
        listener = socket.socket()
        taking = Acceptor(listener, lambda connection, first: handed.append(first) or connection.close())
        pairs = [socket.socketpair() for _ in range(MOST + 1)]
        for _, there in pairs:
            taking.take(there)
        assert pairs[0][0].recv(1) == b""
        pairs[1][0].send(b"GET / HTTP/1.1\r\n\r\n")
        while not handed:
            await asyncio.sleep(0)
        taking.close()
        for here, _ in pairs:
            here.close()

    asyncio.run(crowd())
    assert handed == [b"GET / HTTP/1.1\r\n\r\n"]
