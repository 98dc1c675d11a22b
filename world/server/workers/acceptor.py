"""Accepts connections, reads the first request of each, and hands it on."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress

from world.server.workers.routing import MOST_FIRST, is_complete

IDLE_S = 75.0  # a connection on which nobody asks anything
AT_ONCE = 64
MOST_READING = 2_048  # connections that have not asked yet; the one that has been silent longest makes room

HandOn = Callable[[socket.socket, bytes], None]


class Acceptor:
    """One listening socket. `hand_on` takes over each connection, with what was read from it."""

    def __init__(self, listener: socket.socket, hand_on: HandOn) -> None:
        self._listener, self._hand_on = listener, hand_on
        self._loop = asyncio.get_running_loop()
        self._reading: dict[socket.socket, asyncio.TimerHandle] = {}
        self._loop.add_reader(listener, self._accept)

    def take(self, connection: socket.socket, first: bytes = b"") -> None:
        """Read on from a connection until its request is known, then hand it on."""
        connection.setblocking(False)
        if is_complete(first):
            self._hand_on(connection, first)
            return
        if len(self._reading) >= MOST_READING:
            self._drop(next(iter(self._reading)))
        self._reading[connection] = self._loop.call_later(IDLE_S, self._drop, connection)
        self._loop.add_reader(connection, self._read, connection, bytearray(first))

    def close(self) -> None:
        """Accept no more, and hang up on those who have not asked yet."""
        self._loop.remove_reader(self._listener)
        self._listener.close()
        for connection in list(self._reading):
            self._drop(connection)

    def _accept(self) -> None:
        for _ in range(AT_ONCE):
            try:
                connection, _ = self._listener.accept()
            except OSError:  # nobody there any more, or no room for another file
                return
            self.take(connection)

    def _read(self, connection: socket.socket, first: bytearray) -> None:
        try:
            data = connection.recv(MOST_FIRST)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._drop(connection)
            return
        first += data
        if is_complete(bytes(first)):
            self._forget(connection)
            self._hand_on(connection, bytes(first))

    def _drop(self, connection: socket.socket) -> None:
        self._forget(connection)
        with suppress(OSError):
            connection.close()

    def _forget(self, connection: socket.socket) -> None:
        self._loop.remove_reader(connection)
        self._reading.pop(connection).cancel()
