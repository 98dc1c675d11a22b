"""Starts one sandbox: a command in namespaces of its own, with the run's disk as all it can write to."""

import os
import re
import subprocess
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from world.sandbox import seccomp
from world.sandbox.model import Unavailable
from world.sandbox.namespaces import FOLDERS, Room, spawn
from world.sandbox.process import Capture, RunningSandbox, first_process
from world.sandbox.tar_stream import is_clean_path

TREE = "/workspace"
USER = 1000
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
ENV = {
    "PATH": "/opt/bin:/usr/bin:/bin",
    "HOME": "/home/ci",
    "USER": "ci",
    "TMPDIR": "/tmp",
    "CI": "true",
    "TZ": "UTC",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
    "PYTHONNOUSERSITE": "1",
    "MALLOC_ARENA_MAX": "2",
}
_ETC = {
    "/etc/passwd": f"ci:x:{USER}:{USER}:CI:/home/ci:/bin/sh\n",
    "/etc/group": f"ci:x:{USER}:\n",
    "/etc/hosts": "127.0.0.1 localhost ci\n::1 localhost\n",
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
_APART = (
    "--unshare-all",
    "--unshare-user",
    "--disable-userns",
    "--uid",
    str(USER),
    "--gid",
    str(USER),
    "--cap-drop",
    "ALL",
    "--hostname",
    "ci",
    "--die-with-parent",
    "--new-session",
    "--clearenv",
)


@dataclass(frozen=True)
class Job:
    """Job of one sandbox: its command, disk, folder, environment and input.

    `texts` are files put beside the tree, `reports` gives it a descriptor to report on.
    """

    command: tuple[str, ...]
    disk: int = 0
    directory: str = ""
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    stdin: bytes = b""
    texts: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    shares_network: bool = False
    reports: bool = False


@contextmanager
def launch(room: Room, job: Job) -> Generator[RunningSandbox, None, None]:
    """The sandbox of a job, running; nothing of it is left when the block ends. Raises Unavailable when it cannot be
    started.
    """
    limits = room.limits
    with ExitStack() as ours:
        with ExitStack() as theirs:
            info = pipe(ours, theirs)
            report = pipe(ours, theirs) if job.reports else None
            popen = _start_process(room, job, info[1], report[1] if report else None, theirs)
        ours.enter_context(popen)
        ours.callback(popen.kill)
        assert popen.stdout is not None
        captures = [Capture(popen.stdout.fileno(), limits.output_kb << 10)]
        if report:
            captures.append(Capture(report[0], limits.output_kb << 12))
        first = first_process(popen.pid, info[0])
        if first is not None:
            ours.callback(os.close, first.fd)
        ended = os.pidfd_open(popen.pid)
        ours.callback(os.close, ended)
        running = RunningSandbox(popen, ended, first, captures)
        try:
            yield running
        finally:
            running.end()


def _start_process(room: Room, job: Job, info: int, report: int | None, theirs: ExitStack) -> subprocess.Popen[bytes]:
    def hand_over(content: bytes) -> str:
        kept.append(open_memory_file(content, theirs))
        return str(kept[-1])

    kept = [info] if report is None else [info, report]
    options = [*_APART, *(("--share-net",) if job.shares_network else ()), *room.host.system(), *_mounts(job.disk)]
    options += [*room.host.interpreter(), *room.host.list_hidden_options()]
    for path, content in {**{path: text.encode() for path, text in _ETC.items()}, **job.texts}.items():
        options += ["--ro-bind-data", hand_over(content), path]
    options += ["--symlink", room.host.python, "/opt/bin/python3", "--symlink", room.host.python, "/opt/bin/python"]
    options += [
        "--args",
        hand_over(_variables({**ENV, **job.env})),
        "--seccomp",
        hand_over(seccomp.program()),
        "--info-fd",
        str(info),
    ]
    options += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/".join(filter(None, (TREE, job.directory)))]
    command = [*job.command] if report is None else [*job.command, str(report)]
    try:
        stdin = open_memory_file(job.stdin, theirs) if job.stdin else subprocess.DEVNULL
        return spawn([*room.entry(), room.host.bwrap, *options, "--", *command], stdin, kept)
    except (OSError, subprocess.SubprocessError) as error:
        raise Unavailable(f"A sandbox cannot be started: {error}.") from error


def open_memory_file(content: bytes, until: ExitStack) -> int:
    """Open a file in memory, for reading only."""
    with open(os.memfd_create("sandbox"), "wb") as file:
        file.write(content)
        file.flush()
        fd = os.open(f"/proc/self/fd/{file.fileno()}", os.O_RDONLY)
    until.callback(os.close, fd)
    return fd


def pipe(ours: ExitStack, theirs: ExitStack) -> tuple[int, int]:
    """A pipe: we read, they write."""
    read, write = os.pipe()
    ours.callback(os.close, read)
    theirs.callback(os.close, write)
    return read, write


def _mounts(disk: int) -> list[str]:
    """The new /proc and /dev, and the folders of the one disk: its size holds for all of them together."""
    options = ["--proc", "/proc", "--dev", "/dev"]
    for name, place in zip(FOLDERS, (TREE, "/home/ci", "/tmp", "/dev/shm"), strict=True):
        options += ["--bind", f"/disk/{disk}/{name}", place]
    return options


def _variables(env: Mapping[str, str]) -> bytes:
    """Options that set the environment of the command alone: no tool that runs before the limits hold ever sees it."""
    parts = [part for name in sorted(env) for part in ("--setenv", name, env[name])]
    return "".join(f"{part}\0" for part in parts).encode("utf-8", "replace")


def find_refusal(env: Mapping[str, str], directory: str) -> str | None:
    """Return what cannot be handed over, or None: a name that is no variable's, a NUL, a folder outside the tree."""
    for name, value in sorted(env.items()):
        if not _NAME.fullmatch(name) or "\0" in value:
            return f"environment variable refused: {name!a}"
    return f"directory refused: {directory!a}" if directory and not is_clean_path(directory) else None
