"""Worker processes of a suite: one run each at a time; one that dies or hangs costs its run and is replaced."""

import logging
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from world.core.clock import wall_seconds
from world.core.garbage import collect_rarely

log = logging.getLogger("firmament")
GRADING_S = 120.0  # time of a run beside its agent's own
TICK_S = 0.5

Order = Any
Line = dict[str, Any]
Failed = Callable[[Order, str], Line]


@dataclass(slots=True)
class _Seat:
    """One worker process and the run it is at."""

    process: Any
    pipe: Connection
    order: Order = None
    until: float = 0.0


class Pool:
    """Hands orders to `jobs` processes, each with a worker of its own, and gives back their results as they come."""

    def __init__(self, jobs: int, home: Path, scratch: Path) -> None:
        self._jobs, self._home, self._scratch = jobs, home, scratch
        self._context = get_context("spawn")
        self._seats: list[_Seat] = []
        self._made = 0

    def run(self, orders: Iterable[Order], failed: Failed, wall_s: float) -> Iterator[Line]:
        """The result of every order, in the order they finish; `failed` words the line of a run whose worker was lost."""
        waiting = deque(orders)
        self._seats = [self._seat() for _ in range(min(self._jobs, len(waiting)))]
        try:
            while waiting or any(seat.order is not None for seat in self._seats):
                self._hand_out(waiting, wall_s)
                lines = list(self._collect(failed, more=bool(waiting)))
                self._hand_out(waiting, wall_s)  # before the lines are kept on disk: a worker waits for no file
                yield from lines
        finally:
            self._end()

    def _seat(self) -> _Seat:
        ours, theirs = self._context.Pipe()
        self._made += 1
        arguments = (theirs, self._home, self._scratch / f"worker-{self._made}")
        process = self._context.Process(target=_work, args=arguments, daemon=False)
        process.start()
        theirs.close()
        return _Seat(process, ours)

    def _hand_out(self, waiting: "deque[Order]", wall_s: float) -> None:
        for seat in self._seats:
            if seat.order is None and waiting:
                seat.order, seat.until = waiting.popleft(), wall_seconds() + wall_s + GRADING_S
                try:
                    seat.pipe.send(seat.order)
                except (BrokenPipeError, ConnectionResetError):
                    continue  # the loss shows when its answer is read

    def _collect(self, failed: Failed, *, more: bool) -> Iterator[Line]:
        busy = {seat.pipe: seat for seat in self._seats if seat.order is not None}
        for pipe in wait(list(busy), timeout=TICK_S):
            seat = busy[pipe]  # type: ignore[index]
            order, seat.order = seat.order, None
            try:
                line = seat.pipe.recv()
            except (EOFError, ConnectionResetError):
                line = failed(order, f"the worker was lost (exit code {self._replace(seat, more=more)})")
            yield line if isinstance(line, dict) else failed(order, str(line))
        for seat in [one for one in self._seats if one.order is not None and wall_seconds() > one.until]:
            order, seat.order = seat.order, None
            self._replace(seat, more=more)
            yield failed(order, "the run hung and was stopped")

    def _replace(self, seat: _Seat, *, more: bool) -> int | None:
        _kill(seat)
        code = seat.process.exitcode
        self._seats.remove(seat)
        if more or any(one.order is not None for one in self._seats):
            self._seats.append(self._seat())
        return code

    def _end(self) -> None:
        for seat in self._seats:
            if seat.order is None:
                seat.pipe.close()  # the end of its work
            else:
                _kill(seat)
        for seat in self._seats:
            seat.process.join(10)
            if seat.process.is_alive():
                _kill(seat)
        self._seats = []


def _kill(seat: _Seat) -> None:
    """End a worker and what it has started."""
    seat.pipe.close()
    if seat.process.is_alive():
        try:
            os.killpg(seat.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):  # it has not made itself a group yet, or is gone
            seat.process.kill()
    seat.process.join(10)


def _work(pipe: Connection, home: Path, scratch: Path) -> None:
    """The life of a worker process."""
    os.setpgid(0, 0)
    collect_rarely()
    from world.suite.worker import Worker  # noqa: PLC0415  the driver does without apps and server

    scratch.mkdir(parents=True, exist_ok=True, mode=0o700)
    worker = Worker(home, scratch)
    try:
        while True:
            try:
                order = pipe.recv()
            except EOFError:
                return
            try:
                pipe.send(worker.run(order))
            except Exception as error:  # the edge of a worker process: an error costs this run only
                log.exception("%s", order.key)
                pipe.send(f"{type(error).__name__}: {error}")
    finally:
        worker.close()
