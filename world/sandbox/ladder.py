"""The kinds of sandbox, strongest first: one is used where it really holds, which is tried once in a process."""

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Literal

from world.core.clock import wall_seconds
from world.sandbox import enclosure, launcher, namespaces
from world.sandbox.enclosure import Enclosure
from world.sandbox.host_tools import Host, find_plain, find_tools
from world.sandbox.launcher import Job
from world.sandbox.model import Limits, Unavailable
from world.sandbox.namespaces import Room
from world.sandbox.process import RunningSandbox, watch

Kind = Literal["bubblewrap", "landlock"]
KINDS: tuple[Kind, ...] = ("bubblewrap", "landlock")
_LIMITS = Limits(processes=16, wall_s=20, disk_mb=4)
_COUNT = """
import os, socket
children = 0
try:
    while children < 64:
        if not os.fork():
            os.read(0, 1) or os.kill(os.getpid(), 19)
        children += 1
except OSError:
    pass
"""
_TRY = {
    "bubblewrap": f"""{_COUNT}
links = sorted(name for _, name in socket.if_nameindex())
print("processes are not counted" if children > 16 else f"networks are shared: {{links}}" if links != ["lo"] else "isolated", flush=True)
os._exit(0)
""",
    "landlock": f"""
import os, socket
def refused(action, *arguments):
    try:
        action(*arguments)
    except OSError:
        return True
def reached(port):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0
with socket.create_server(("127.0.0.1", 0)) as listener:
    loopback = reached(listener.getsockname()[1])
wrong = [
    text
    for text, holds in (
        ("files are read", refused(open, "/etc/passwd") and refused(os.listdir, "/")),
        ("files are written", refused(open, f"/var/tmp/firm-ci-try-{{os.getpid()}}", "w")),
        ("sockets of the host are reached", refused(socket.socket, socket.AF_UNIX)),
        ("there is no loopback", loopback),
        ("networks are reached", refused(socket.create_connection, ("192.0.2.1", 80), 1)),
        ("modes of files are not set", not os.chmod("try", 0o600) if open("try", "w") else False),
    )
    if not holds
]
{_COUNT}
print("processes are not counted" if children > 16 else ", ".join(wrong) or "isolated", flush=True)
os._exit(0)
""",
}


@dataclass(frozen=True)
class Sandboxes:
    """A kind of sandbox that holds on this host."""

    kind: Kind
    host: Host

    @contextmanager
    def room(self, limits: Limits, disks: int = 1) -> Generator["RunSandboxes", None, None]:
        """A place for the sandboxes of one run, with this many disks. Raises Unavailable."""
        make = namespaces.room if self.kind == "bubblewrap" else enclosure.enclosure
        with make(self.host, limits, disks) as made:
            yield RunSandboxes(made)


@dataclass(frozen=True)
class RunSandboxes:
    """Place of the sandboxes of one run."""

    made: Room | Enclosure

    @property
    def limits(self) -> Limits:
        """Limits of each of them."""
        return self.made.limits

    @property
    def host(self) -> Host:
        """The host's tools."""
        return self.made.host

    def launch(self, job: Job) -> AbstractContextManager[RunningSandbox]:
        """The sandbox of a job, running until the block ends. Raises Unavailable."""
        if isinstance(self.made, Room):
            return launcher.launch(self.made, job)
        return enclosure.launch(self.made, job)


def find_obstacle(kind: Kind | None = None) -> Unavailable | None:
    """None if this host can isolate, by one kind or by any, else why not and what helps."""
    if kind is not None:
        return _find_obstacle_of(kind)
    found = [why for one in KINDS if (why := _find_obstacle_of(one)) is not None]
    if len(found) < len(KINDS):
        return None
    others = [f"; without namespaces: {why}" for why in found[1:] if str(why) != str(found[0])]
    return Unavailable(f"{str(found[0]).rstrip('.')}{''.join(others)}", found[0].mend) if others else found[0]


def forget() -> None:
    """Forget the result of the trial, so that the next use tries again: something was installed."""
    _find_obstacle_of.cache_clear()


def available() -> str | None:
    """None if this host can isolate, else a sentence that says why not."""
    found = find_obstacle()
    return None if found is None else str(found)


def step() -> Kind | None:
    """The kind of sandbox in use, None where there is none."""
    return next((kind for kind in KINDS if _find_obstacle_of(kind) is None), None)


def require(kind: Kind | None = None) -> Sandboxes:
    """The sandboxes of a kind, by default of the strongest that holds. Raises Unavailable."""
    used = kind or step()
    found = find_obstacle(kind)
    if found is not None or used is None:
        raise Unavailable(str(found), found.mend if found else "")
    return Sandboxes(used, _tools(used))


@cache
def _find_obstacle_of(kind: Kind) -> Unavailable | None:
    try:
        said = _try_sandbox(Sandboxes(kind, _tools(kind)))
    except Unavailable as why:
        return why
    why = f"What runs in a sandbox is not isolated here: {said or 'it said nothing'}."
    return None if said == "isolated" else Unavailable(why)


def _tools(kind: Kind) -> Host:
    if kind == "bubblewrap":
        return find_tools()
    host = find_plain()
    enclosure.refuse_kernel(host)
    return host


def _try_sandbox(sandboxes: Sandboxes) -> str:
    job = Job(("/opt/bin/python3", "-IS", "-c", _TRY[sandboxes.kind]))
    with sandboxes.room(_LIMITS) as made, made.launch(job) as running:
        watch([running], running.over, wall_seconds() + _LIMITS.wall_s, _LIMITS.memory_mb << 20)
        running.end()
        return running.captures[0].data.decode("utf-8", "replace").strip()
