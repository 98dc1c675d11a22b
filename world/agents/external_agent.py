"""An agent that is somebody's program: started in processes of its own, told its task, stopped when its time is up."""

import asyncio
import json
import os
import shutil
import site
import sys
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import world
from world.agents.confinement import ConfinementLimits, ConfinementReport
from world.agents.options import WALL_S
from world.agents.process import GRACE_S, ProgramOrder
from world.agents.task import Task
from world.core.json_types import is_object
from world.grading.verdict import HOUSE, Trust
from world.sandbox.model import Unavailable
from world.sandbox.users import reserve_user

LOG_BYTES = 10 << 20  # limit of the log of an agent's output
_KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TERM", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE")
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY")
ALLOWED = (*_KEPT, *_PROXIES, *(name.lower() for name in _PROXIES))


@dataclass(frozen=True, slots=True)
class AgentExit:
    """Outcome of an agent's part of a run.

    `failed` and `timeout` are graded all the same; `skipped` attacks had no occasion.
    """

    status: Literal["finished", "failed", "timeout", "skipped"]
    why: str = ""
    breaches: tuple[str, ...] = ()
    trust: Trust = HOUSE


@dataclass(frozen=True, slots=True)
class Secrets:
    """Files that an agent must not read: hidden folders, and one file each of run and scenario to test it with."""

    hidden: Sequence[Path]
    run: Path
    solution: Path


@dataclass(frozen=True, slots=True)
class LaunchSettings:
    """Settings for starting an agent's program: log, hidden files, time limit, variables, and an output callback."""

    log: Path
    secrets: Secrets
    wall_s: float = WALL_S
    env: Sequence[str] = ()
    echo: Callable[[bytes], None] = field(default=lambda text: None)


async def run_outside(name: str, task: Task, launch: LaunchSettings) -> AgentExit:
    """Run `module:callable` on a task in processes of its own; its output goes to the log, 10 MB at most."""
    with _place() as (user, folder):
        secrets, (reads, writes) = launch.secrets, os.pipe()
        bounds = ConfinementLimits(
            user,
            str(folder),
            [str(path) for path in secrets.hidden],
            list_needs(folder),
            str(secrets.run),
            str(secrets.solution),
        )
        order = ProgramOrder(name, _plain(task), asdict(bounds), writes)
        try:
            process = await _start(order, _environment(folder, launch.env))
        except OSError:
            os.close(reads)
            raise
        finally:
            os.close(writes)
        timely = await _attend(process, order, launch)
        with open(reads, "rb") as file:
            return _parse_report(file.read(), launch, process.returncode, timely=timely)


async def _start(order: ProgramOrder, env: Mapping[str, str]) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "world.agents.process",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
        pass_fds=(order.report,),
        env=env,
    )


async def _attend(process: asyncio.subprocess.Process, order: ProgramOrder, launch: LaunchSettings) -> bool:
    """Wait until the agent is done or its time is up; return whether it was in time.

    Afterwards none of its processes is left.
    """
    reading = asyncio.create_task(_drain(process.stdout, launch))
    try:
        async with asyncio.timeout(launch.wall_s):
            await _tell(process, json.dumps(asdict(order)).encode())
            await process.wait()
            return True
    except TimeoutError:
        return False
    finally:
        await asyncio.shield(_stop(process, reading))


def _parse_report(said: bytes, launch: LaunchSettings, status: int | None, *, timely: bool) -> AgentExit:
    """Turn the supervisor's report into an outcome."""
    found: dict[str, Any] = {}
    for text in said.splitlines():
        found |= json.loads(text)
    trust = (
        _trust(ConfinementReport(**found["held"]))
        if "held" in found
        else Trust(process=True, home=False, why="it did not start")
    )
    if not timely:
        return AgentExit("timeout", f"stopped after {launch.wall_s:g} s", trust=trust)
    code = found.get("code", status)
    if code == 0:
        return AgentExit("finished", trust=trust)
    return AgentExit("failed", f"exit code {code}; see {launch.log.name}", trust=trust)


def _trust(held: ConfinementReport) -> Trust:
    lacking = [
        text
        for text, holds in (
            ("it ran as the grader's user", held.user),
            ("it could read the home folder or the grader's memory", held.home),
            ("it could read the scenario's files", held.scenario),
        )
        if not holds
    ]
    return Trust(True, held.user, held.home, held.scenario, why="; ".join(lacking))


@contextmanager
def _place() -> Generator[tuple[int | None, Path], None, None]:
    """A user, where we may choose one, and a folder of the agent's own, removed in the end."""
    with ExitStack() as kept:
        user: int | None = None
        if os.geteuid() == 0:
            with suppress(Unavailable):
                user = kept.enter_context(reserve_user())
        folder = Path(tempfile.mkdtemp(prefix="firm-agent-")).resolve()
        kept.callback(shutil.rmtree, folder, ignore_errors=True)
        if user is not None:
            os.chown(folder, user, user)
        yield user, folder


def list_needs(folder: Path) -> list[str]:
    """List the paths needed to import the agent's module and to start its interpreter again."""
    import_path = [os.getcwd(), *sys.path, sys.prefix, sys.base_prefix, os.path.realpath(sys.executable), str(folder)]
    found = [path for one in import_path if one for path in (os.path.abspath(one), os.path.realpath(one))]
    return [path for path in dict.fromkeys(found) if os.path.exists(path) and path != str(folder)] + [str(folder)]


def _environment(folder: Path, names: Sequence[str]) -> dict[str, str]:
    """Build a clean environment: an allow-list, a folder of its own, and the variables that the user names."""
    root = str(Path(world.__path__[0]).parent)
    places = (os.getcwd(), os.environ.get("PYTHONPATH", ""), root)
    own = {name: str(folder) for name in ("HOME", "TMPDIR", "TMP", "TEMP")}
    python = {
        "PYTHONPATH": os.pathsep.join(filter(None, places)),
        "PYTHONUSERBASE": site.getuserbase(),
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return {name: os.environ[name] for name in (*ALLOWED, *names) if name in os.environ} | own | python


def _plain(task: Task) -> dict[str, Any]:
    return {name: dict(value) if is_object(value) else value for name, value in asdict(task).items()}


async def _tell(process: asyncio.subprocess.Process, text: bytes) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(text + b"\n")  # and left open: its end tells the supervisor that we are gone
        await process.stdin.drain()


async def _drain(stream: asyncio.StreamReader | None, launch: LaunchSettings) -> None:
    """Keep the beginning of the output, and go on reading so that the agent is never held up."""
    assert stream is not None
    left = LOG_BYTES
    with launch.log.open("wb") as file:
        while chunk := await stream.read(1 << 16):
            kept = chunk[:left]
            file.write(kept)
            file.flush()
            launch.echo(kept)
            left -= len(kept)


async def _stop(process: asyncio.subprocess.Process, reading: "asyncio.Task[None]") -> None:
    """End the agent by way of its supervisor, which finds all it has started; the supervisor too where it hangs."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        async with asyncio.timeout(3 * GRACE_S):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    with suppress(TimeoutError):
        async with asyncio.timeout(GRACE_S):
            await reading
