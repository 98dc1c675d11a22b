"""Confinement of an agent's process, which gives up user, files, capabilities and descriptors before its code runs."""

import ctypes
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from world.sandbox import landlock

_LIBC = ctypes.CDLL(None, use_errno=True)
_NEW_MOUNTS, _BIND, _RECURSIVE, _PRIVATE = 0x20000, 0x1000, 0x4000, 0x40000  # unshare(2), mount(2)
_PARENT_DEATH, _DUMPABLE, _DROP_BOUND, _SUBREAPER, _LAST_CAPABILITY = 1, 4, 24, 36, 63  # prctl(2)
_KILL = 9
_CAPABILITIES_3 = 0x20080522  # capget(2)
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/shm", "/dev/pts")


@dataclass(frozen=True)
class ConfinementLimits:
    """Limits of an agent.

    `user` to become (None to stay), `folder` to write to, paths `hidden` from it, paths it `needs` to read. `secret`
    and
    `solution` are files among the hidden ones; reading them is tried in the end.
    """

    user: int | None
    folder: str
    hidden: Sequence[str]
    needs: Sequence[str]
    secret: str
    solution: str


@dataclass(frozen=True)
class ConfinementReport:
    """Result of testing the confinement from inside."""

    user: bool
    home: bool
    scenario: bool


def confine(bounds: ConfinementLimits, supervisor: int) -> ConfinementReport:
    """Give up everything that an agent must not have, and try whether it is gone.

    A file that is missing before proves nothing; afterwards it may be missing because its folder is hidden.
    """
    secret, solution = os.path.exists(bounds.secret), os.path.exists(bounds.solution)
    user = bounds.user if bounds.user is not None and reach(bounds.needs, bounds.user) else None
    if user is None and bounds.user is not None:
        os.chown(bounds.folder, os.geteuid(), os.getegid())  # it was made for the other user
    _restrict_files(bounds, user)
    if user is not None:
        become(user)
    _drop_capabilities()
    if sys.platform == "linux":
        _LIBC.prctl(_PARENT_DEATH, _KILL)
        _LIBC.prctl(_DUMPABLE, 1)
    memory = f"/proc/{supervisor}/environ"
    return ConfinementReport(
        user is not None,
        home=secret and _is_closed(bounds.secret) and _is_closed(memory),
        scenario=solution and _is_closed(bounds.solution),
    )


def adopt_orphans() -> None:
    """Become the parent of all processes that this process's children leave behind, so that they can be found."""
    if sys.platform == "linux":
        _LIBC.prctl(_SUBREAPER, 1, 0, 0, 0)


def become(user: int) -> None:
    """Be another user from here on, without groups and powers. Raises OSError."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def _is_closed(path: str) -> bool:
    try:
        with open(path, "rb"):
            return False
    except OSError:
        return True


def reach(needs: Sequence[str], user: int) -> bool:
    """Whether another user can read all of these; folders closed to it are replaced by ones that hold only them."""
    if _readable(needs, user):
        return True
    closed = sorted({top for path in needs if (top := _find_closed_ancestor(path, user))})
    try:
        _own_mounts()
        for top in closed:
            _replace(top, [path for path in needs if Path(path).is_relative_to(top)])
    except OSError:
        return False
    return _readable(needs, user)


def _readable(paths: Iterable[str], user: int) -> bool:
    """Whether a user can read files and list folders; tried as that user."""
    groups = os.getgroups()
    os.setgroups([])
    os.setegid(user)
    os.seteuid(user)
    try:
        return all(os.access(path, os.R_OK, effective_ids=True) for path in paths)
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(groups)


def _find_closed_ancestor(path: str, user: int) -> str | None:
    """The topmost folder above a path that a user cannot pass."""
    for folder in reversed(Path(path).parents):
        found = os.stat(folder)
        if not found.st_mode & (0o100 if found.st_uid == user else 0o001):
            return str(folder)
    return None


def _own_mounts() -> None:
    _check_result(_LIBC.unshare(_NEW_MOUNTS))
    _mount("none", "/", _RECURSIVE | _PRIVATE)


def _replace(top: str, paths: Sequence[str]) -> None:
    """An empty folder in place of one, with only these paths of it in their places."""
    outer = [
        path for path in sorted(paths) if not any(Path(path) != Path(p) and Path(path).is_relative_to(p) for p in paths)
    ]
    held = {path: os.open(path, os.O_PATH | os.O_CLOEXEC) for path in outer}
    directories = {path for path in outer if os.path.isdir(path)}
    _mount("none", top, 0, "tmpfs")
    os.chmod(top, 0o755)
    for path, fd in held.items():
        os.makedirs(path if path in directories else os.path.dirname(path), exist_ok=True)
        if path not in directories:
            os.close(os.open(path, os.O_CREAT | os.O_CLOEXEC, 0o644))
        _mount(f"/proc/self/fd/{fd}", path, _BIND | _RECURSIVE)
        os.close(fd)


def _mount(source: str, target: str, flags: int, kind: str = "") -> None:
    _check_result(_LIBC.mount(source.encode(), target.encode(), kind.encode() or None, ctypes.c_ulong(flags), None))


def _check_result(result: int) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _restrict_files(bounds: ConfinementLimits, user: int | None) -> None:
    """Forbid reading hidden paths and writing outside the agent's folder, where the kernel has Landlock."""
    abi = landlock.version() if sys.platform == "linux" else 0
    if abi:
        devices = _DEVICES if user is None and os.geteuid() == 0 else ("/dev",)
        hidden = {os.path.realpath(path) for path in bounds.hidden}
        landlock.confine(abi, list_visible(hidden), (bounds.folder, *devices), lists=("/",), network=True)


def list_visible(hidden: set[str]) -> Iterator[str]:
    """Yield the paths that together are everything but the hidden ones and what is in them.

    A link is no path of its own: it may lead there.
    """
    above = {str(folder) for path in hidden for folder in Path(path).parents}
    left = ["/"]
    while left:
        with suppress(OSError), os.scandir(left.pop()) as entries:
            for entry in entries:
                if entry.path in hidden:
                    continue
                if entry.path in above:
                    left.append(entry.path)
                elif not entry.is_symlink():
                    yield entry.path


def _drop_capabilities() -> None:
    """Drop the capabilities of root, who is then a user like others; another user has none."""
    if sys.platform != "linux":
        return
    for number in range(_LAST_CAPABILITY + 1):
        _LIBC.prctl(_DROP_BOUND, number, 0, 0, 0)  # refused for numbers the kernel does not know
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES_3, 0)
    _LIBC.capset(header, (ctypes.c_uint32 * 6)())
