"""A loopback of its own for a sandbox that has no network namespace: its calls of bind, listen and connect are carried
out by its supervisor, at an address that only this run uses, between ports that this run has bound.
"""

import os
import select
import socket
import struct
from ipaddress import IPv4Address, IPv6Address

from world.sandbox.notifications import Refusal, SystemCall

_BAD_ADDRESS, _REFUSED, _UNREACHABLE, _CONNECTED, _IN_PROGRESS = 99, 111, 101, 106, 115
_INVALID, _NOT_A_SOCKET, _NO_FAMILY = 22, 88, 97
_HELD = 64  # sockets that were bound and do not listen yet
_AT_ONCE_MS = 20


class Loopback:
    """The sockets of one sandbox. `registry` is a file in memory with the ports that the run's sandboxes have bound."""

    def __init__(self, address: str, registry: int) -> None:
        self.address, self.registry = address, registry
        self._bound: dict[str, socket.socket] = {}
        self._listening: set[str] = set()
        self._connected: set[str] = set()
        self.waiting: dict[int, tuple[socket.socket, SystemCall]] = {}

    def bind(self, asked: SystemCall) -> None:
        """Bind at our address. Raises Refusal."""
        number, (family, host, port) = asked.integer(0), self._address(asked)
        if not _inside(host):
            raise Refusal(_BAD_ADDRESS)
        self._hand_over(asked, number, self._bind(family, port))
        asked.answer()

    def listen(self, asked: SystemCall) -> None:
        """Listen on a bound socket, and on a free port for an unbound one. Raises Refusal."""
        number, backlog = asked.integer(0), max(0, min(asked.integer(1), 4096))
        name = _socket_name(asked, number)
        if name not in self._listening:
            if name not in self._bound:
                name = self._hand_over(asked, number, self._bind(socket.AF_INET, 0))
            with self._bound.pop(name) as ours:
                ours.listen(backlog)
            self._listening.add(name)
        asked.answer()

    def connect(self, asked: SystemCall) -> None:
        """Connect to a port of this run. Raises Refusal."""
        number, (family, host, port) = asked.integer(0), self._address(asked)
        if _socket_name(asked, number) in self._connected:
            raise Refusal(_CONNECTED)
        if not _inside(host):
            raise Refusal(_UNREACHABLE)
        if port not in self._ports():
            raise Refusal(_REFUSED)
        ours = socket.socket(family, socket.SOCK_STREAM)
        ours.setblocking(False)
        begun = ours.connect_ex(self._place(family, port))
        if begun not in (0, _IN_PROGRESS):
            ours.close()
            raise Refusal(begun)
        ready = select.poll()
        ready.register(ours, select.POLLOUT)
        if ready.poll(_AT_ONCE_MS):
            self._finish(asked, number, ours)
        elif asked.flags(number) & os.O_NONBLOCK:
            with ours:
                asked.put_descriptor(ours.fileno(), number)
            raise Refusal(_IN_PROGRESS)
        else:
            self.waiting[ours.fileno()] = (ours, asked)

    def go_on(self, fd: int) -> None:
        """Answer a call of connect that had to wait. Raises Refusal."""
        ours, asked = self.waiting.pop(fd)
        self._finish(asked, asked.integer(0), ours)

    def _finish(self, asked: SystemCall, number: int, ours: socket.socket) -> None:
        with ours:
            error = ours.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            if error:
                raise Refusal(error)
            ours.setblocking(not asked.flags(number) & os.O_NONBLOCK)
            asked.put_descriptor(ours.fileno(), number)
            self._connected.add(_name(ours))
        asked.answer()

    def _bind(self, family: int, port: int) -> socket.socket:
        ours = socket.socket(family, socket.SOCK_STREAM)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            ours.bind(self._place(family, port))
        except OSError as error:
            ours.close()
            raise Refusal(error.errno or _BAD_ADDRESS) from None
        return ours

    def _hand_over(self, asked: SystemCall, number: int, ours: socket.socket) -> str:
        """Hand a bound socket over and keep it until it listens."""
        _socket_name(asked, number)
        ours.setblocking(not asked.flags(number) & os.O_NONBLOCK)
        asked.put_descriptor(ours.fileno(), number)
        if len(self._bound) >= _HELD:
            self._bound.pop(next(iter(self._bound))).close()
        name, port = _name(ours), ours.getsockname()[1]
        self._bound[name] = ours
        if port not in self._ports():
            os.write(self.registry, f"{port}\n".encode())
        return name

    def _ports(self) -> set[int]:
        size = os.fstat(self.registry).st_size
        return {int(line) for line in os.pread(self.registry, size, 0).split()}

    def _place(self, family: int, port: int) -> tuple[str, int]:
        return (self.address if family == socket.AF_INET else f"::ffff:{self.address}", port)

    def _address(self, asked: SystemCall) -> tuple[int, str, int]:
        """Family, host and port of the address that a call names, read once. Raises Refusal."""
        size = min(asked.arguments[2] & 0xFFFFFFFF, 128)
        raw = asked.memory(asked.arguments[1], size)
        if len(raw) < 2:
            raise Refusal(_INVALID)
        family = struct.unpack("=H", raw[:2])[0]
        if family == socket.AF_INET and len(raw) >= 8:
            return socket.AF_INET, str(IPv4Address(raw[4:8])), int.from_bytes(raw[2:4], "big")
        if family == socket.AF_INET6 and len(raw) >= 24:
            return socket.AF_INET6, str(IPv6Address(raw[8:24])), int.from_bytes(raw[2:4], "big")
        raise Refusal(_NO_FAMILY)


def _inside(host: str) -> bool:
    """Whether an address is one of a loopback, or none in particular."""
    address = IPv6Address(host).ipv4_mapped or IPv6Address(host) if ":" in host else IPv4Address(host)
    return address.is_loopback or address.is_unspecified


def _socket_name(asked: SystemCall, number: int) -> str:
    name = asked.file(number)
    if not name.startswith("socket:"):
        raise Refusal(_NOT_A_SOCKET)
    return name


def _name(ours: socket.socket) -> str:
    return f"socket:[{os.fstat(ours.fileno()).st_ino}]"
