"""A running sandbox seen from outside: what it says up to a limit, what it uses, and its end."""

import json
import os
import select
import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from world.core.clock import wall_seconds

TICK_S = 0.05
_CHUNK = 1 << 16
_PAGE = os.sysconf("SC_PAGE_SIZE")
Stop = Literal["timed_out", "cut off", "memory"]


@dataclass
class Capture:
    """What comes from one descriptor, never more than the limit."""

    fd: int
    limit: int
    data: bytearray = field(default_factory=bytearray)
    full: bool = False
    open: bool = True

    def take(self) -> None:
        """Read what is there; what is over the limit is dropped and told by `full`."""
        chunk = os.read(self.fd, _CHUNK)
        left = self.limit - len(self.data)
        self.open = bool(chunk)
        self.full = self.full or len(chunk) > left
        self.data += chunk[:left]


@dataclass(frozen=True)
class First:
    """Process 1 of a sandbox: when it ends, the kernel ends all the others, and then only is it gone."""

    number: int
    fd: int

    def kill(self) -> None:
        """End everything inside, and wait for it."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.fd, signal.SIGKILL)
        ended = select.poll()
        ended.register(self.fd, select.POLLIN)
        ended.poll()

    def memory(self) -> int:
        """Bytes that all processes inside hold together, more than they do where they share pages."""
        return sum(_resident(path) for path in self._inside())

    def shared_memory(self) -> int:
        """The same, exact and slower: each page divided by those who share it."""
        return sum(_proportional(path) for path in self._inside())

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
class Running:
    """One sandbox: `popen` is bwrap, outside, and `ended` is readable when it ends; `captures` begin with its output."""

    popen: "subprocess.Popen[bytes]"
    ended: int
    first: First | None
    captures: list[Capture]
    stopped: Stop | None = None

    def over(self) -> bool:
        """Whether the command has ended, whatever it left behind."""
        return self.popen.poll() is not None

    def stop(self, why: Stop) -> None:
        """End it before its time."""
        self.stopped = self.stopped or why
        self._kill()

    def end(self) -> None:
        """End what is left of it, and read what it had said."""
        self._kill()
        for capture in self.captures:
            while capture.open and not capture.full:
                capture.take()

    def oversized(self, most: int) -> bool:
        """Whether all inside together hold more memory than this."""
        return self.first is not None and self.first.memory() > most and self.first.shared_memory() > most

    def _kill(self) -> None:
        if self.popen.poll() is None and self.first is None:
            self.popen.kill()  # its children die with it
        if self.first is not None:
            self.first.kill()
        self.popen.wait()


def first_process(parent: int, info: int) -> First | None:
    """Process 1 as bwrap tells it, None if it is gone already. Whoever calls closes its descriptor."""
    told = bytearray()
    while chunk := os.read(info, _CHUNK):
        told += chunk
    try:
        number = int(json.loads(told)["child-pid"])
        fd = os.pidfd_open(number)
    except (ValueError, ProcessLookupError):
        return None
    if _parent(number) == parent:
        return First(number, fd)
    os.close(fd)
    return None


def watch(all_of_them: Sequence[Running], until: Callable[[], bool], deadline: float, memory: int) -> None:
    """Listen until the condition holds; a sandbox that goes over a limit is stopped."""
    while not until():
        left = deadline - wall_seconds()
        for running in all_of_them:
            if running.over():
                continue
            if left <= 0:
                running.stop("timed_out")
            elif running.oversized(memory):
                running.stop("memory")
        if left <= 0:
            return
        _listen(all_of_them, min(left, TICK_S))


def _listen(all_of_them: Sequence[Running], wait: float) -> None:
    """Take what is said, at most for this long; one that says too much is stopped."""
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


def _resident(process: Path) -> int:
    try:
        return int((process / "statm").read_bytes().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def _proportional(process: Path) -> int:
    try:
        lines = (process / "smaps_rollup").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:")), 0)
