"""The namespaces of one run and its disks: kept by a small process of ours, entered by every sandbox of the run, gone
with it.
"""

import json
import os
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from world.sandbox.host_tools import Host, identity
from world.sandbox.model import Limits, Unavailable

ALLOW = (
    "allow user namespaces: sysctl user.max_user_namespaces and kernel.apparmor_restrict_unprivileged_userns, or"
    " docker/compose.ci.yaml for a container"
)
FOLDERS = ("tree", "home", "tmp", "shm")
_APART = (
    "--unshare-user",
    "--unshare-net",
    "--unshare-ipc",
    "--unshare-uts",
    "--uid",
    "0",
    "--gid",
    "0",
    "--cap-add",
    "CAP_SYS_ADMIN",
)
_PLACES = ("--bind", "/proc", "/proc", "--dev", "/dev", "--dir", "/disk", "--dir", "/tmp", "--remount-ro", "/")
_KEEP = """set -e
mount -t tmpfs -o mode=0755,size=64k,nr_inodes=99 tmpfs /disk
for disk in $1; do
  mkdir /disk/$disk
  mount -t tmpfs -o "mode=0755,nosuid,nodev,size=$2,nr_inodes=$3" tmpfs /disk/$disk
  mkdir {folders}
done
echo ready
exec cat
"""


@dataclass(frozen=True)
class Room:
    """A run's namespaces; `pid` is the process whose namespaces are entered."""

    host: Host
    limits: Limits
    pid: int

    def entry(self) -> list[str]:
        """The command that enters the room and sets the limits nothing inside can raise."""
        limits = self.limits
        # a core of 1 byte also keeps the host's own crash collector from being started, which 0 does not; man 5 core,
        # kernel/fs/coredump.c
        caps = {
            "cpu": f"{limits.cpu_s}:{limits.cpu_s + 1}",
            "as": limits.memory_mb << 20,
            "nproc": limits.processes,
            "fsize": limits.disk_mb << 20,
            "nofile": limits.open_files,
            "core": 1,
        }
        enter = ["/usr/bin/nsenter", "--preserve-credentials", f"--target={self.pid}", "--user", "--mount", "--net"]
        bounds = ["/usr/bin/prlimit", *(f"--{name}={value}" for name, value in caps.items())]
        # no random addresses: the same input gives the same text; and the first to go when the host is out of memory
        return [*enter, *bounds, "/usr/bin/setarch", "-R", "/usr/bin/choom", "-n", "1000", "--"]


@contextmanager
def room(host: Host, limits: Limits, disks: int = 1) -> Generator[Room, None, None]:
    """A room with this many disks. Raises Unavailable."""
    read, write = os.pipe()
    try:
        keeper = _start(host, limits, disks, write)
    finally:
        os.close(write)
    with keeper, open(read, "rb") as told:
        try:
            yield Room(host, limits, _child(keeper, told.read()))
        finally:
            _end(keeper)


def _start(host: Host, limits: Limits, disks: int, info: int) -> subprocess.Popen[bytes]:
    script = _KEEP.format(folders=" ".join(f"/disk/$disk/{name}" for name in FOLDERS))
    sizes = [" ".join(str(disk) for disk in range(disks)), str(limits.disk_mb << 20), str(limits.files)]
    command = [
        host.bwrap,
        *_APART,
        "--die-with-parent",
        "--new-session",
        *host.system(),
        *host.interpreter(),
        *_PLACES,
        "--info-fd",
        str(info),
    ]
    try:
        return spawn([*command, "--", "/bin/sh", "-c", script, "sh", *sizes], subprocess.PIPE, [info])
    except (OSError, subprocess.SubprocessError) as error:
        raise Unavailable(f"bubblewrap cannot be started: {error}.") from error


def spawn(command: list[str], stdin: int, kept: list[int]) -> subprocess.Popen[bytes]:
    """Start a command as the sandboxes' own user, with these descriptors and nothing of our environment. Raises
    OSError.
    """
    return subprocess.Popen(
        command,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        pass_fds=kept,
        env={"PATH": "/usr/bin:/bin"},
        cwd="/",
        user=identity(),
        group=identity(),
        extra_groups=None if identity() is None else [],
    )


def _child(keeper: subprocess.Popen[bytes], told: bytes) -> int:
    assert keeper.stdout is not None
    line = keeper.stdout.readline()
    if line != b"ready\n":
        raise Unavailable(f"No namespaces can be made here: {line.decode('utf-8', 'replace').strip()}.", ALLOW)
    return int(json.loads(told)["child-pid"])


def _end(keeper: subprocess.Popen[bytes]) -> None:
    """Returns when the process that keeps the namespaces is gone; it ends when its input does."""
    assert keeper.stdin is not None
    keeper.stdin.close()
    keeper.wait()
