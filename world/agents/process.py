"""The processes of an agent's program: `python -m world.agents.process`.

One supervises. The other gives up what an agent must not have and calls `module:callable`. The order is a line on
stdin; the end of stdin ends the agent.
"""

import json
import os
import select
import signal
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, NoReturn

from world.agents.confinement import ConfinementLimits, adopt_orphans, become, confine
from world.agents.program import call
from world.agents.task import Task
from world.core.clock import wall_seconds
from world.sandbox.usage import list_descendants

GRACE_S = 2.0  # between being told to stop and being stopped
_END_S = 10.0  # time limit for ending everything


@dataclass(frozen=True)
class ProgramOrder:
    """Order to the processes: the agent's name, its task, its bounds, and the supervisor's descriptor for reports."""

    name: str
    task: dict[str, Any]
    bounds: dict[str, Any]
    report: int


def main() -> None:
    """Entry point of both processes."""
    order = ProgramOrder(**json.loads(_first_line(0)))
    adopt_orphans()
    wakes, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends us
    supervisor = os.getpid()
    agent = os.fork()
    if agent:
        _supervise(agent, wakes, order)
    _act(order, supervisor)


def _first_line(descriptor: int) -> bytes:
    text = b""
    while not text.endswith(b"\n") and (chunk := os.read(descriptor, 1 << 16)):
        text += chunk
    return text


def _act(order: ProgramOrder, supervisor: int) -> None:
    """The agent's own process, from here to its end."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    held = confine(ConfinementLimits(**order.bounds), supervisor)
    _report(order.report, {"held": asdict(held)})
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    call(order.name, Task(**order.task))


def _report(descriptor: int, what: dict[str, Any]) -> None:
    os.write(descriptor, json.dumps(what).encode() + b"\n")


def _supervise(agent: int, wakes: int, order: ProgramOrder) -> NoReturn:
    """Wait for the agent or for the end of our input; then end everything the agent has started."""
    code = _wait(agent, wakes, None)
    if code is None:
        with suppress(ProcessLookupError):
            os.killpg(agent, signal.SIGTERM)
        code = _wait(agent, wakes, wall_seconds() + GRACE_S)
    _end_all(agent, order.bounds["user"])
    _report(order.report, {"code": code})
    os._exit(0)


def _wait(agent: int, wakes: int, until: float | None) -> int | None:
    """The agent's exit code, or None if it goes on; until our input ends, or until a time."""
    while True:
        code = _reap(agent)
        if code is not None:
            return code
        left = None if until is None else until - wall_seconds()
        if left is not None and left <= 0:
            return None
        ready = _ready([wakes] if until else [0, wakes], left)
        if wakes in ready:
            os.read(wakes, 1 << 10)
        elif 0 in ready and not os.read(0, 1):
            return None


def _ready(descriptors: list[int], seconds: float | None) -> list[int]:
    """Return the descriptors from which something can be read; their numbers may be high."""
    poll = select.poll()
    for one in descriptors:
        poll.register(one, select.POLLIN)
    return [one for one, _ in poll.poll(None if seconds is None else 1000 * seconds)]


def _reap(agent: int) -> int | None:
    """Take note of what has ended; the agent's exit code if it is among them."""
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            if found[0] == agent:
                return os.waitstatus_to_exitcode(found[1])
    return None


def _end_all(agent: int, user: int | None) -> None:
    """End the agent and all it has started, wherever that has put itself."""
    if user is not None:
        _end_user(user)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(agent, signal.SIGKILL)
    if sys.platform != "linux":
        return
    until = wall_seconds() + _END_S
    while (left := list_descendants(os.getpid())) and wall_seconds() < until:
        for process in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        _reap(agent)


def _end_user(user: int) -> None:
    """End every process of a user, which nobody else has: all at once, so that none can start another."""
    process = os.fork()
    if process:
        os.waitpid(process, 0)
        return
    with suppress(OSError):
        become(user)
        os.kill(-1, signal.SIGKILL)
    os._exit(0)


if __name__ == "__main__":
    main()
