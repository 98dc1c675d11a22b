"""An agent that is somebody's program: a process of its own, told its task on stdin, stopped when its time is up."""

import asyncio
import json
import os
import signal
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from world.agents.task import Task
from world.core.json_types import is_object

LOG_BYTES = 10 << 20  # what is kept of what an agent prints
GRACE_S = 5.0  # between being told to stop and being stopped


@dataclass(frozen=True, slots=True)
class Ended:
    """How an agent's part came to its end; `failed` and `timeout` are graded all the same, `skipped` attacks had no
    occasion.
    """

    status: Literal["finished", "failed", "timeout", "skipped"]
    why: str = ""
    breaches: tuple[str, ...] = ()


async def run_outside(name: str, task: Task, log: Path, wall_s: float) -> Ended:
    """Run `module:callable` on a task in a process of its own. What it prints goes to `log`, 10 MB at most."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "world.agents.process",
        name,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
        env=_environment(),
    )
    reading = asyncio.create_task(_drain(process.stdout, log))
    try:
        async with asyncio.timeout(wall_s):
            await _tell(process, json.dumps(_plain(task)).encode())
            code = await process.wait()
            await reading
    except TimeoutError:
        return Ended("timeout", f"stopped after {wall_s:g} s")
    finally:
        await _stop(process)
        reading.cancel()
        with suppress(asyncio.CancelledError):
            await reading
    return Ended("finished") if code == 0 else Ended("failed", f"exit code {code}; see {log.name}")


def _plain(task: Task) -> dict[str, Any]:
    return {name: dict(value) if is_object(value) else value for name, value in asdict(task).items()}


def _environment() -> dict[str, str]:
    """The caller's environment, its folder importable, without what leads to the control plane."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FIRM_")}
    return kept | {"PYTHONPATH": os.pathsep.join(filter(None, (os.getcwd(), os.environ.get("PYTHONPATH", ""))))}


async def _tell(process: asyncio.subprocess.Process, text: bytes) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(text + b"\n")  # and left open: its end tells the agent's process that its worker is gone
        await process.stdin.drain()


async def _drain(stream: asyncio.StreamReader | None, log: Path) -> None:
    """Keep the beginning of what is printed, and go on reading so that the agent is never held up."""
    assert stream is not None
    left = LOG_BYTES
    with log.open("wb") as file:
        while chunk := await stream.read(1 << 16):
            file.write(chunk[:left])
            left = max(0, left - len(chunk))


async def _stop(process: asyncio.subprocess.Process) -> None:
    """End the agent's whole session, also what it has started and left behind."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, how)
        if process.returncode is not None:
            continue
        with suppress(TimeoutError):
            async with asyncio.timeout(GRACE_S):
                await process.wait()
