"""Landlock, the kernel's own way for a process to give up rights: files by path, TCP ports, signals to others."""

import ctypes
import os
import struct
from collections.abc import Iterable
from functools import cache

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # alike on every architecture; asm-generic/unistd.h
_VERSION = 1
_PATH_BENEATH = 1
_NO_NEW_PRIVS = 38
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_TRUNCATE, _IOCTL_DEV = 1 << 14, 1 << 15
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_DEVICES, _SOCKETS = 1 << 6 | 1 << 11, 1 << 9  # to make devices, and sockets
_LIBC = ctypes.CDLL(None, use_errno=True)
MOVES, SIGNALS = 2, 6  # the versions from which files may move between folders, and signals stay inside


@cache
def version() -> int:
    """The version of the interface that this kernel has, 0 where it has none or an outer filter forbids it."""
    return max(0, _LIBC.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION)))


def confine(
    abi: int, readable: Iterable[str], writable: Iterable[str], *, lists: Iterable[str] = (), network: bool = False
) -> None:
    """Take from this process and all it starts every right to files but to these, and to signals and, without
    `network`, TCP. Of folders in `lists` the names of files may be read, at any depth. Raises OSError.
    """
    files = (1 << (13 if abi < 2 else 14 if abi < 3 else 15 if abi < 5 else 16)) - 1
    ruleset = _create(abi, files, network=network)
    for path in lists:
        _allow(ruleset, path, _READ_DIR)
    for path in readable:
        _allow(ruleset, path, files & (_EXECUTE | _READ_FILE | _READ_DIR))
    made = files & ~_DEVICES if network else files & ~(_DEVICES | _SOCKETS)  # sockets of files are a network too
    for path in writable:
        _allow(ruleset, path, made)
    _check_result(_LIBC.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0))
    _check_result(_LIBC.syscall(_RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def _create(abi: int, files: int, *, network: bool) -> int:
    ports = 3 if abi >= 4 and not network else 0  # to bind and to connect
    scopes = 3 if abi >= SIGNALS else 0  # abstract sockets and signals
    size = 8 if abi < 4 else 16 if abi < SIGNALS else 24
    asked = ctypes.create_string_buffer(struct.pack("=QQQ", files, ports, scopes)[:size], size)
    return _check_result(_LIBC.syscall(_CREATE_RULESET, asked, ctypes.c_size_t(size), 0))


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        folder = os.path.isdir(f"/proc/self/fd/{fd}")
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights if folder else rights & _OF_FILES, fd), 12)
        _check_result(_LIBC.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0))
    finally:
        os.close(fd)


def _check_result(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
