"""Modes and times of files by path, for a sandbox that has the user of files outside: set by its supervisor, on files of
its own folder only.
"""

import os
import stat
import struct
from collections.abc import Generator
from contextlib import contextmanager

from world.sandbox.notifications import Refusal, SystemCall

_HERE = -100  # AT_FDCWD
_NO_FOLLOW = 0x100
_NOW, _OMIT = 0x3FFFFFFF, 0x3FFFFFFE
_NOT_PERMITTED = 1
_SECOND = 1_000_000_000


class FileAttributes:
    """Files below one folder."""

    def __init__(self, folder: str) -> None:
        self.folder = os.path.realpath(folder)

    def chmod(self, asked: SystemCall) -> None:
        """chmod(path, mode). Raises Refusal."""
        self._set_mode(asked, _HERE, 0, 1)

    def fchmodat(self, asked: SystemCall) -> None:
        """fchmodat(folder, path, mode). Raises Refusal."""
        self._set_mode(asked, asked.integer(0), 1, 2)

    def utimensat(self, asked: SystemCall) -> None:
        """utimensat(folder, path, times, flags). Raises Refusal."""
        _, _, given, flags = asked.arguments[:4]
        with self._open_file(asked, asked.integer(0), asked.text(asked.arguments[1]), not flags & _NO_FOLLOW) as path:
            if not stat.S_ISLNK(os.stat(path).st_mode):
                _set_times(path, asked.memory(given, 32) if given else b"")
        asked.answer()

    def _set_mode(self, asked: SystemCall, folder: int, name: int, mode: int) -> None:
        with self._open_file(asked, folder, asked.text(asked.arguments[name]), True) as path:
            os.chmod(path, asked.arguments[mode] & 0o777)
        asked.answer()

    @contextmanager
    def _open_file(self, asked: SystemCall, folder: int, path: str, follow: bool) -> Generator[str, None, None]:
        """A file of the caller as something that no other can take the place of. Raises Refusal."""
        start = f"/proc/{asked.thread}/" + ("cwd" if folder == _HERE else f"fd/{folder}")
        flags = os.O_PATH | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
        try:
            at = os.open(start, os.O_PATH | os.O_CLOEXEC)
            try:
                fd = os.open(path, flags, dir_fd=at)
            finally:
                os.close(at)
            try:
                where = os.readlink(f"/proc/self/fd/{fd}")
                if not f"{where}/".startswith(f"{self.folder}/"):
                    raise Refusal(_NOT_PERMITTED)
                yield f"/proc/self/fd/{fd}"
            finally:
                os.close(fd)
        except OSError as error:
            raise Refusal(error.errno or _NOT_PERMITTED) from None


def _set_times(path: str, given: bytes) -> None:
    if not given:
        os.utime(path)
        return
    old = os.stat(path)
    times: list[int] = []
    for start, kept in ((0, old.st_atime_ns), (16, old.st_mtime_ns)):
        seconds, nanoseconds = struct.unpack_from("=qq", given, start)
        if nanoseconds == _NOW:
            os.utime(path)
            kept = os.stat(path).st_mtime_ns
        times.append(kept if nanoseconds in (_NOW, _OMIT) else seconds * _SECOND + nanoseconds)
    os.utime(path, ns=(times[0], times[1]))
