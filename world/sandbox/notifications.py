"""System calls that a sandbox asks for: read from the filter's descriptor, answered one by one."""

import fcntl
import os
import struct
from contextlib import suppress
from dataclasses import dataclass

_RECEIVE, _SEND, _STILL_THERE, _ADD_FD = 0xC0502100, 0xC0182101, 0x40082102, 0x40182103  # linux/seccomp.h
_GO_ON = 1
_IN_PLACE = 1
_ASKED = struct.Struct("=QIIiIQ6Q")


class Refusal(Exception):
    """A call that is answered with an error number."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@dataclass(frozen=True)
class SystemCall:
    """One call: who makes it, its number, its arguments."""

    listener: int
    id: int
    thread: int
    call: int
    arguments: tuple[int, ...]

    def integer(self, place: int) -> int:
        """An argument that is a C int."""
        value = self.arguments[place] & 0xFFFFFFFF
        return value - (1 << 32) if value >> 31 else value

    def memory(self, address: int, size: int) -> bytes:
        """Bytes of the caller. Raises Refusal."""
        try:
            with open(f"/proc/{self.thread}/mem", "rb", buffering=0) as memory:
                memory.seek(address)
                found = memory.read(size)
        except (OSError, OverflowError, ValueError):
            raise Refusal(14) from None  # EFAULT
        return found if self.waits() else b""

    def text(self, address: int) -> str:
        """A path of the caller. Raises Refusal."""
        found = b""
        while b"\0" not in found and len(found) < 4096:
            step = 256 - (address + len(found)) % 256  # never past the end of a page before the text ends
            found += self.memory(address + len(found), step) or b"\0"
        return os.fsdecode(found.partition(b"\0")[0])

    def file(self, number: int) -> str:
        """Return the name that the kernel has for a descriptor of the caller. Raises Refusal."""
        try:
            return os.readlink(f"/proc/{self.thread}/fd/{number}")
        except OSError:
            raise Refusal(9) from None  # EBADF

    def flags(self, number: int) -> int:
        """Return the flags with which a descriptor of the caller was opened. Raises Refusal."""
        try:
            with open(f"/proc/{self.thread}/fdinfo/{number}", "rb") as lines:
                return next(int(line.split()[1], 8) for line in lines if line.startswith(b"flags:"))
        except (OSError, StopIteration, ValueError):
            raise Refusal(9) from None

    def waits(self) -> bool:
        """Whether the caller still waits, so that the memory just read was its own."""
        with suppress(OSError):
            fcntl.ioctl(self.listener, _STILL_THERE, struct.pack("=Q", self.id))
            return True
        return False

    def put_descriptor(self, ours: int, number: int) -> None:
        """Put a descriptor of ours in the place of one of the caller. Raises Refusal."""
        flags = self.flags(number) & os.O_CLOEXEC
        try:
            fcntl.ioctl(self.listener, _ADD_FD, struct.pack("=QIIII", self.id, _IN_PLACE, ours, number, flags))
        except OSError as error:
            raise Refusal(error.errno or 9) from None

    def answer(self, error: int = 0) -> None:
        """The call returns: 0, or -1 with this error number."""
        self._send(0, -error, 0)

    def go_on(self) -> None:
        """The kernel carries the call out."""
        self._send(0, 0, _GO_ON)

    def _send(self, value: int, error: int, flags: int) -> None:
        with suppress(OSError):  # its caller is gone
            fcntl.ioctl(self.listener, _SEND, struct.pack("=QqiI", self.id, value, error, flags))


def receive(listener: int) -> SystemCall | None:
    """The next call, None where its caller is gone already."""
    buffer = bytearray(_ASKED.size)
    try:
        fcntl.ioctl(listener, _RECEIVE, buffer, True)
    except OSError:
        return None
    id, thread, _, call, _, _, *arguments = _ASKED.unpack(bytes(buffer))
    return SystemCall(listener, id, thread, call, tuple(arguments))
