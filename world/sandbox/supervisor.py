"""The process beside a sandbox without namespaces, started by `enclosure` as the sandbox's own user.

It confines the sandbox, carries out the calls that the sandbox may only ask for, watches its usage, and ends with it.
It reads its order from its input; the end of the input ends the sandbox.
"""

import ctypes
import json
import os
import platform
import resource
import select
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from world.core.clock import wall_seconds
from world.sandbox import landlock, supervised_filter
from world.sandbox.file_attributes import FileAttributes
from world.sandbox.loopback import Loopback
from world.sandbox.notifications import Refusal, SystemCall, receive
from world.sandbox.supervised_filter import BIND, CHMOD, CLONE, CONNECT, FCHMODAT, FORK, LISTEN, UTIMENSAT, VFORK
from world.sandbox.usage import exceeds_memory, list_descendants, measure_disk

TICK_MS = 50
_TRY_AGAIN, _NO_SUCH_CALL = 11, 38
_NO_RANDOM_ADDRESSES = 0x0040000  # personality(2)
_DUMPABLE, _SUBREAPER = 4, 36  # prctl(2)
_STDIN = 0


@dataclass(frozen=True)
class Order:
    """Order to the supervisor: the command and its bounds; descriptors are the supervisor's own."""

    command: list[str]
    directory: str
    env: dict[str, str]
    folder: str
    readable: list[str]
    writable: list[str]
    user: int | None  # to become, None to stay who we are
    shares_user: bool  # whether others outside have it
    abi: int
    address: str
    registry: int
    stdin: int
    info: int
    report: int | None
    cpu_s: int
    memory: int
    processes: int
    disk: int
    files: int
    open_files: int


class Supervisor:
    """One sandbox, from its first process to the end of its last."""

    def __init__(self, order: Order, first: int, listener: int) -> None:
        self.order, self.first, self.listener = order, first, listener
        self.loopback = Loopback(order.address, order.registry)
        size, files = measure_disk(order.folder, [])
        self.most_disk, self.most_files = max(order.disk, size), max(order.files, files)  # a full disk may be emptied
        attributes = FileAttributes(order.folder)
        handlers: dict[tuple[int, int], Callable[[SystemCall], None]] = {
            BIND: self.loopback.bind,
            CONNECT: self.loopback.connect,
            LISTEN: self.loopback.listen,
            CLONE: self._start,
            FORK: self._start,
            VFORK: self._start,
            CHMOD: attributes.chmod,
            FCHMODAT: attributes.fchmodat,
            UTIMENSAT: attributes.utimensat,
        }
        column = list(supervised_filter.AUDIT).index(platform.machine())
        self.handlers = {numbers[column]: handler for numbers, handler in handlers.items()}

    def run(self) -> tuple[int, str | None]:
        """Run the sandbox until nothing of it is left.

        Returns the exit status of the first process, and the limit for which it was ended before its time, or None.
        """
        stopped = self._watch()
        if stopped is None and self._over_disk([]):
            stopped = "disk"
        return self.end(), stopped

    def _watch(self) -> str | None:
        ended = os.pidfd_open(self.first)
        events = select.poll()
        for fd in (ended, self.listener, _STDIN):
            events.register(fd, select.POLLIN)
        due = wall_seconds()
        while True:
            for fd in self.loopback.waiting:
                events.register(fd, select.POLLOUT)
            ready = {fd for fd, _ in events.poll(TICK_MS)}
            if ended in ready or _STDIN in ready:
                return None
            if self.listener in ready:
                self._serve(receive(self.listener))
            for fd in ready & self.loopback.waiting.keys():
                events.unregister(fd)
                asked = self.loopback.waiting[fd][1]
                self._try(asked, lambda _, fd=fd: self.loopback.go_on(fd))
            begin = wall_seconds()
            if begin >= due:
                found = self._find_excess()
                if found is not None:
                    return found
                due = max(begin + TICK_MS / 1000, begin + 10 * (wall_seconds() - begin))  # at most a tenth of the time

    def _serve(self, asked: SystemCall | None) -> None:
        if asked is not None:
            self._try(asked, self.handlers.get(asked.call, _refuse))

    def _try(self, asked: SystemCall, handler: Callable[[SystemCall], None]) -> None:
        try:
            handler(asked)
        except Refusal as why:
            asked.answer(why.number)
        except OSError as error:
            asked.answer(error.errno or _TRY_AGAIN)

    def _start(self, asked: SystemCall) -> None:
        """A process or thread more, which for a user shared with others no limit of the kernel counts."""
        if sum(list_descendants(os.getpid()).values()) + 1 >= self.order.processes:
            raise Refusal(_TRY_AGAIN)
        asked.go_on()

    def _find_excess(self) -> str | None:
        inside = [Path("/proc", str(process)) for process in list_descendants(os.getpid())]
        if exceeds_memory(inside, self.order.memory):
            return "memory"
        return "disk" if self._over_disk(inside) else None

    def _over_disk(self, inside: list[Path]) -> bool:
        try:
            size, files = measure_disk(self.order.folder, inside)
        except RecursionError:
            return True
        return size > self.most_disk or files > self.most_files

    def end(self) -> int:
        """End all that is left; nothing more can be started meanwhile, because it would have to ask us."""
        code = 0
        pause = select.poll()
        while True:
            for process in list_descendants(os.getpid()) if self.order.shares_user else (-1,):
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            try:
                while (found := os.waitpid(-1, os.WNOHANG))[0]:
                    code = found[1] if found[0] == self.first else code
            except ChildProcessError:
                status = os.waitstatus_to_exitcode(code)
                return status if status >= 0 else 128 - status
            pause.poll(2)


def _refuse(asked: SystemCall) -> None:
    raise Refusal(_NO_SUCH_CALL)


def main() -> None:
    """Read the order, run it, say how it ended."""
    line = bytearray()
    while not line.endswith(b"\n"):
        chunk = os.read(_STDIN, 1)
        if not chunk:
            os._exit(1)
        line += chunk
    order = Order(**json.loads(line))
    libc = ctypes.CDLL(None)
    libc.prctl(_SUBREAPER, 1, 0, 0, 0)
    ours, theirs = socket.socketpair()
    first = os.fork()
    if not first:
        try:
            _become(order, libc, theirs)
        except OSError as error:
            os.write(2, f"{error.strerror}: {error.filename or order.command[0]}\n".encode())
        finally:
            os._exit(1)
    _change_user(order)
    libc.prctl(_DUMPABLE, 0, 0, 0, 0)
    theirs.close()
    _, received, _, _ = socket.recv_fds(ours, 1, 1)
    for fd in (1, 2, order.stdin, order.report):
        if fd is not None:
            os.close(fd)
    if received:
        supervisor = Supervisor(order, first, received[0])
        try:
            code, stopped = supervisor.run()
        finally:
            supervisor.end()
    else:
        code, stopped = max(1, os.waitstatus_to_exitcode(os.waitpid(first, 0)[1])), None
    os.write(order.info, json.dumps({"stopped": stopped, "confined": bool(received)}).encode())
    os._exit(code)


def _change_user(order: Order) -> None:
    if order.user is not None:
        os.setgroups([])
        os.setresgid(order.user, order.user, order.user)
        os.setresuid(order.user, order.user, order.user)


def _become(order: Order, libc: ctypes.CDLL, theirs: socket.socket) -> None:
    """The first process of the sandbox. Returns only by raising OSError."""
    os.setsid()
    os.umask(0o022)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    libc.personality(_NO_RANDOM_ADDRESSES)  # so that the same input gives the same text; engines may refuse it
    _change_user(order)
    _limit(order)
    os.chdir(order.directory)
    os.dup2(order.stdin, _STDIN)
    if order.report is not None:
        os.set_inheritable(order.report, True)
    landlock.confine(order.abi, order.readable, order.writable)
    listener = supervised_filter.install(order.shares_user, order.abi)
    socket.send_fds(theirs, [b"x"], [listener])
    # the others are closed by exec: Python's own are, and those we were given are marked so here
    for fd in (order.stdin, order.info, order.registry):
        os.set_inheritable(fd, False)
    os.execve(order.command[0], order.command, order.env)


def _limit(order: Order) -> None:
    limits = {
        resource.RLIMIT_CPU: (order.cpu_s, order.cpu_s + 1),
        resource.RLIMIT_AS: (order.memory, order.memory),
        resource.RLIMIT_FSIZE: (order.disk, order.disk),
        resource.RLIMIT_NOFILE: (order.open_files, order.open_files),
        resource.RLIMIT_CORE: (1, 1),  # not 0: that would start the host's crash collector; man 5 core
    }
    if not order.shares_user:
        limits[resource.RLIMIT_NPROC] = (order.processes, order.processes)
    for which, bounds in limits.items():
        resource.setrlimit(which, bounds)
