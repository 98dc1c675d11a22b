"""Packets between the parent and a worker: news of worlds and credentials, and open connections that change hands."""

import os
import select
import socket
from array import array
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import orjson

Kind = Literal["settings", "agent", "control", "news", "up"]
MOST_BODY = 262_144  # bytes of one packet; a connection's first bytes beyond that travel in a file
MOST_INLINE = 98_304
BUFFER = 4_194_304


@dataclass(frozen=True, slots=True)
class Packet:
    """One message. `agent` and `control` carry a connection of that plane with the bytes read from it so far."""

    kind: Kind
    body: bytes = b""
    connection: socket.socket | None = None


def open_pair() -> tuple[socket.socket, socket.socket]:
    """Two connected ends; packets keep their bounds and their order."""
    ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for end in ends:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
    return ends


def send(end: socket.socket, packet: Packet, *, wait: bool) -> None:
    """Send one packet; a connection is then the receiver's, and closed here. Raises BlockingIOError, OSError."""
    head = orjson.dumps([packet.kind, len(packet.body) > MOST_INLINE]) + b"\n"
    files: list[int] = [packet.connection.fileno()] if packet.connection is not None else []
    body = packet.body
    if len(body) > MOST_INLINE:
        files.append(_write_file(body))
        body = b""
    try:
        _send_whole(end, [head, body], files, wait=wait)
    finally:
        for spare in files[1 if packet.connection is not None else 0 :]:
            os.close(spare)
    if packet.connection is not None:
        packet.connection.close()


def _send_whole(end: socket.socket, parts: list[bytes], files: list[int], *, wait: bool) -> None:
    """Send, if need be as soon as there is room. `socket.send_fds` takes flags and forgets them."""
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", files))] if files else []
    while True:
        try:
            end.sendmsg(parts, rights, socket.MSG_DONTWAIT)
        except BlockingIOError:
            if not wait:
                raise
            select.select([], [end], [])
        else:
            return


def receive(end: socket.socket) -> Packet | None:
    """The next packet; None when the other end is gone. Raises BlockingIOError where there is none now.

    No program that is started here inherits its connection, which would never seem closed to the other side.
    """
    how = socket.MSG_DONTWAIT | socket.MSG_CMSG_CLOEXEC
    said, rights, _, _ = end.recvmsg(MOST_BODY, socket.CMSG_SPACE(2 * array("i").itemsize), how)
    if not said:
        return None
    files = array("i")
    for _, _, data in rights:
        files.frombytes(data)
    head, _, body = said.partition(b"\n")
    kind, is_filed = orjson.loads(head)
    if is_filed:
        body = _read_file(files.pop())
    return Packet(kind, body, socket.socket(fileno=files[0]) if files else None)


def _write_file(body: bytes) -> int:
    file = os.memfd_create("first-bytes")
    os.write(file, body)
    return file


def _read_file(file: int) -> bytes:
    with os.fdopen(file, "rb") as opened:
        opened.seek(0)
        return opened.read()


class Outbox:
    """Packets for one worker. What it cannot take now waits, in order; without a worker, until there is one again."""

    def __init__(self) -> None:
        self.end: socket.socket | None = None
        self._waiting: deque[Packet] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, packet: Packet) -> None:
        """Send a packet, or keep it until `flush`."""
        self._waiting.append(packet)
        self.flush()

    def flush(self) -> bool:
        """Send what waits. Returns whether all of it is gone."""
        while self._waiting and self.end is not None:
            try:
                send(self.end, self._waiting[0], wait=False)
            except BlockingIOError:
                return False
            except OSError:  # the worker is gone: its successor gets the packet
                self.end = None
                return False
            self._waiting.popleft()
        return not self._waiting

    def close(self) -> None:
        """Hang up on everybody who still waits."""
        waiting: Sequence[Packet] = self._waiting
        for packet in waiting:
            if packet.connection is not None:
                packet.connection.close()
        self._waiting.clear()
