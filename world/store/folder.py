"""A folder of worlds: its owner, and where a world's files lie in it."""

import fcntl
import os
import re
import zlib
from pathlib import Path

from world.store.errors import StoreError, StoreLocked

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def own(folder: Path) -> int:
    """Lock the folder, made if need be, for this process; the descriptor holds the lock."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(lock)
        raise StoreLocked(f"the worlds in {folder} are in use by another process") from error
    return lock


def check_name(name: str) -> None:
    if not NAME.fullmatch(name):
        raise StoreError(f"{name!r} cannot name a world: 1-100 letters, digits, dots, underscores and hyphens")


def place(folder: Path, name: str, suffix: str) -> Path:
    """The file of a world, in one of 256 subfolders."""
    return folder / f"{zlib.crc32(name.encode()) & 0xFF:02x}" / (name + suffix)


def list_names(folder: Path, suffix: str) -> list[str]:
    """The names with a file of this kind, in order."""
    return sorted(path.name.removesuffix(suffix) for path in folder.glob(f"[0-9a-f][0-9a-f]/*{suffix}"))
