"""A running sandbox seen from outside: its output up to a limit, its usage, and its end."""

import json
import os
import select
import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from world.core.clock import wall_seconds
from world.sandbox.usage import exceeds_memory

TICK_S = 0.05
_CHUNK = 1 << 16
Stop = Literal["timed_out", "cut off", "memory", "disk"]


@dataclass
class Capture:
    """Output from one descriptor, never more than the limit."""

    fd: int
    limit: int
    data: bytearray = field(default_factory=bytearray)
    full: bool = False
    open: bool = True
    restore: Callable[[bytes], bytes] = bytes

    def text(self) -> bytes:
        """Return the output, with the names that a sandbox has for its places."""
        return self.restore(bytes(self.data))

    def take(self) -> None:
        """Read what is there. Output over the limit is dropped, and `full` is set."""
        chunk = os.read(self.fd, _CHUNK)
        left = self.limit - len(self.data)
        self.open = bool(chunk)
        self.full = self.full or len(chunk) > left
        self.data += chunk[:left]


class SandboxProcesses(Protocol):
    """The processes of a sandbox."""

    @property
    def stopped(self) -> Stop | None:
        """Reason why they were ended before their time by another program; None if they were not."""
        ...

    def kill(self) -> None:
        """End everything inside, and wait for it."""
        ...

    def exceeds(self, memory: int) -> bool:
        """Whether they hold more memory than this."""
        ...


@dataclass(frozen=True)
class InitProcess:
    """Process 1 of a sandbox: when it ends, the kernel ends all the others, and then only is it gone."""

    number: int
    fd: int
    stopped: Stop | None = None

    def kill(self) -> None:
        """End everything inside, and wait for it."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.fd, signal.SIGKILL)
        ended = select.poll()
        ended.register(self.fd, select.POLLIN)
        ended.poll()

    def exceeds(self, memory: int) -> bool:
        """Whether all processes inside together hold more memory than this."""
        return exceeds_memory(self._inside(), memory)

    def _inside(self) -> list[Path]:
        """Processes as the sandbox's own /proc has them; until that is mounted, the host's is seen in its place."""
        host = Path("/proc")
        own = host / str(self.number) / "root" / "proc"
        try:
            return (
                [path for path in own.iterdir() if path.name.isdigit()]
                if own.stat().st_dev != host.stat().st_dev
                else []
            )
        except OSError:
            return []


@dataclass
class RunningSandbox:
    """One sandbox: `popen` is bwrap, outside, and `ended` is readable when it ends; `captures` begin with its output."""

    popen: "subprocess.Popen[bytes]"
    ended: int
    inside: SandboxProcesses | None
    captures: list[Capture]
    stopped: Stop | None = None

    def over(self) -> bool:
        """Whether the command has ended; processes that it left behind do not matter."""
        return self.popen.poll() is not None

    def stop(self, why: Stop) -> None:
        """End it before its time."""
        self.stopped = self.stopped or why
        self._kill()

    def end(self) -> None:
        """End what is left of it, and read the rest of its output."""
        self._kill()
        for capture in self.captures:
            while capture.open and not capture.full:
                capture.take()

    def is_oversized(self, most: int) -> bool:
        """Whether all inside together hold more memory than this."""
        return self.inside is not None and self.inside.exceeds(most)

    def _kill(self) -> None:
        if self.popen.poll() is None and self.inside is None:
            self.popen.kill()  # its children die with it
        if self.inside is not None:
            self.inside.kill()
            self.stopped = self.stopped or self.inside.stopped
        self.popen.wait()


def first_process(parent: int, info: int) -> InitProcess | None:
    """Return process 1 as bwrap reports it, None if it is gone already. The caller closes its descriptor."""
    told = bytearray()
    while chunk := os.read(info, _CHUNK):
        told += chunk
    try:
        number = int(json.loads(told)["child-pid"])
        fd = os.pidfd_open(number)
    except (ValueError, ProcessLookupError):
        return None
    if _parent(number) == parent:
        return InitProcess(number, fd)
    os.close(fd)
    return None


def watch(all_of_them: Sequence[RunningSandbox], until: Callable[[], bool], deadline: float, memory: int) -> None:
    """Listen until the condition holds; a sandbox that goes over a limit is stopped."""
    while not until():
        left = deadline - wall_seconds()
        for running in all_of_them:
            if running.over():
                continue
            if left <= 0:
                running.stop("timed_out")
            elif running.is_oversized(memory):
                running.stop("memory")
        if left <= 0:
            return
        _listen(all_of_them, min(left, TICK_S))


def _listen(all_of_them: Sequence[RunningSandbox], wait: float) -> None:
    """Read output, at most for this long; a sandbox that writes too much is stopped."""
    said = select.poll()
    by_fd = {
        capture.fd: (running, capture)
        for running in all_of_them
        for capture in running.captures
        if capture.open and not capture.full
    }
    for fd in (*by_fd, *(running.ended for running in all_of_them if not running.over())):
        said.register(fd, select.POLLIN)
    for fd in [fd for fd, _ in said.poll(wait * 1000) if fd in by_fd]:
        running, capture = by_fd[fd]
        capture.take()
        if capture.full:
            running.stop("cut off")


def _parent(number: int) -> int | None:
    try:
        return int(
            Path(f"/proc/{number}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[1]
        )
    except (OSError, ValueError, IndexError):
        return None
