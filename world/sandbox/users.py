"""Users without a name, one for each sandbox or agent that runs at the moment."""

import fcntl
import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from world.sandbox.model import Unavailable

USERS = range(65_024, 65_280)  # reserved by Debian's policy, nobody's


@contextmanager
def reserve_user() -> Generator[int, None, None]:
    """A user that no other sandbox has meanwhile; root alone can reserve one. Raises Unavailable.

    What ends a user's processes reaches into the containers of the host, whose locks are others. So each process namespace
    begins at a place of its own among the users.
    """
    locks = Path("/tmp" if os.access("/tmp", os.W_OK) else tempfile.gettempdir(), "firm-ci-users")  # one for all
    locks.mkdir(mode=0o700, exist_ok=True)
    if locks.is_symlink() or locks.stat().st_uid != 0:
        raise Unavailable(f"{locks} is not ours", f"remove {locks}")
    for user in list_users(os.stat("/proc/self/ns/pid").st_ino):
        fd = os.open(locks / str(user), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            if _is_locked(fd):
                yield user
                return
        finally:
            os.close(fd)
    raise Unavailable(f"{len(USERS)} sandboxes are running already", "run fewer at once")


def list_users(namespace: int) -> list[int]:
    """All users, in the order in which a process namespace takes them."""
    first = namespace % len(USERS)
    return [*USERS[first:], *USERS[:first]]


def _is_locked(fd: int) -> bool:
    """Whether a file could be locked by us."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
