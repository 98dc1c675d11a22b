"""Whether this host really isolates: tried once in a process, by running something."""

from functools import cache

from world.core.clock import wall_seconds
from world.sandbox.host_tools import Host, find
from world.sandbox.launcher import Job, launched
from world.sandbox.model import Limits, Unavailable
from world.sandbox.namespaces import room
from world.sandbox.process import watch

_LIMITS = Limits(processes=16, wall_s=20, disk_mb=4)
_TRY = """
import os, socket, sys
children = 0
try:
    while children < 64:
        if not os.fork():
            os.read(0, 1) or os.kill(os.getpid(), 19)
        children += 1
except OSError:
    pass
links = sorted(name for _, name in socket.if_nameindex())
print("processes are not counted" if children > 16 else f"networks are shared: {links}" if links != ["lo"] else "isolated", flush=True)
os._exit(0)
"""


@cache
def find_obstacle() -> Unavailable | None:
    """None if this host can isolate, else why not and what helps."""
    try:
        said = _tried(find())
    except Unavailable as why:
        return why
    why = f"What runs in a sandbox is not isolated here: {said or 'it said nothing'}."
    return None if said == "isolated" else Unavailable(why)


def available() -> str | None:
    """None if this host can isolate, else a sentence that says why not."""
    found = find_obstacle()
    return None if found is None else str(found)


def step() -> str | None:
    """The kind of sandbox in use, None where there is none."""
    return "bubblewrap" if available() is None else None


def require() -> Host:
    """The host, if it can isolate. Raises Unavailable."""
    found = find_obstacle()
    if found is not None:
        raise Unavailable(str(found), found.mend)
    return find()


def _tried(host: Host) -> str:
    with room(host, _LIMITS) as made, launched(made, Job(("/opt/bin/python3", "-IS", "-c", _TRY))) as running:
        watch([running], running.over, wall_seconds() + _LIMITS.wall_s, _LIMITS.memory_mb << 20)
        running.end()
        return running.captures[0].data.decode("utf-8", "replace").strip()
