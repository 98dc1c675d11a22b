"""The system calls of a sandbox without namespaces: what those would hold is refused here, or asked of a supervisor."""

import ctypes
import os
import platform
import struct

from world.sandbox.seccomp import (
    ALLOW,
    AT,
    AUDIT,
    EPERM,
    EQUAL,
    LOAD,
    REFUSE,
    REFUSED,
    RETURN,
    Instruction,
    begin,
    pack,
    refuse_all,
)

_AND, _ANY_BIT = 0x54, 0x45  # BPF_ALU|AND|K, BPF_JMP|JSET|K
_ASK = 0x7FC00000
_ENOSYS, _EPROTONOSUPPORT, _EAFNOSUPPORT, _EOPNOTSUPP = 38, 93, 97, 95
_UNIX, _INET, _INET6, _STREAM, _TCP = 1, 2, 10, 1, 6
_FAST_OPEN = 0x20000000  # connects without a call of connect
_NEW_NAMESPACES = 0x7E020000
_SET_FILTER, _NEW_LISTENER = 1, 8
_SECCOMP = {"x86_64": 317, "aarch64": 277}
Block = list[Instruction]

# Numbers on x86_64 and on aarch64; -1 where there is none
BIND, CONNECT, LISTEN = (49, 200), (42, 203), (50, 201)
CLONE, FORK, VFORK, CLONE3 = (56, 220), (57, -1), (58, -1), (435, 435)
CHMOD, FCHMODAT, UTIMENSAT = (90, -1), (268, 53), (280, 88)
_FOR_OTHERS = {
    "kcmp": (312, 272),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "inotify_init": (253, -1),
    "inotify_init1": (294, 26),
}
_ANY_ATTRIBUTE = {  # of files that the same user has outside, by their path
    "chown": (92, -1),
    "lchown": (94, -1),
    "fchownat": (260, 54),
    "utime": (132, -1),
    "utimes": (235, -1),
    "futimesat": (261, -1),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "setxattrat": (463, 463),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
}
_TRUNCATE, _FCHMODAT2 = (76, 45), (452, 452)


def install(shares_user: bool, abi: int) -> int:
    """Filter what this process and all it starts may call; the descriptor on which it asks. Raises OSError."""
    code = program(shares_user, abi)
    held = ctypes.create_string_buffer(code, len(code))
    described = ctypes.create_string_buffer(struct.pack("@HP", len(code) // 8, ctypes.addressof(held)))
    libc = ctypes.CDLL(None, use_errno=True)
    listener = libc.syscall(_SECCOMP[platform.machine()], _SET_FILTER, _NEW_LISTENER, described)
    if listener < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return int(listener)


def program(shares_user: bool, abi: int, machine: str = "") -> bytes:
    """The filter. `shares_user`: the sandbox has the user of processes and files outside."""
    machine = machine or platform.machine()
    column = list(AUDIT).index(machine)
    code = [*begin(machine), *refuse_all(REFUSED, column), *refuse_all(_FOR_OTHERS, column)]
    for numbers, block in [*_always(shares_user), *(_build_shared_rules() if shares_user else ()), *_older(abi)]:
        if numbers[column] >= 0:
            code += [(EQUAL, 0, len(block), numbers[column]), *block]
    return pack([*code, (RETURN, 0, 0, ALLOW)])


def _always(shares_user: bool) -> list[tuple[tuple[int, int], Block]]:
    ask: Block = [(RETURN, 0, 0, _ASK)]
    start = ask if shares_user else [_allow()]
    return [
        *((numbers, ask) for numbers in (BIND, CONNECT, LISTEN)),
        (CLONE, [_argument(0), (_ANY_BIT, 0, 1, _NEW_NAMESPACES), _refuse(EPERM), *start]),
        (CLONE3, [_refuse(_ENOSYS)]),  # its flags cannot be seen, and the C library falls back to clone
        ((41, 198), _socket()),
        ((53, 199), _socketpair()),
        ((44, 206), _unless_bit(3, _FAST_OPEN)),  # sendto, sendmsg, sendmmsg
        ((46, 211), _unless_bit(2, _FAST_OPEN)),
        ((307, 269), _unless_bit(3, _FAST_OPEN)),
        ((72, 25), _unless(1, (8, 10, 15))),  # fcntl: F_SETOWN, F_SETSIG, F_SETOWN_EX send signals to anybody
        ((16, 29), _unless(1, (0x8901, 0x8902, 0x5412))),  # ioctl: FIOSETOWN, SIOCSPGRP, TIOCSTI
        ((157, 167), _unless(0, (4,))),  # prctl: PR_SET_DUMPABLE would hide a process from the supervisor
        ((302, 261), _only_own(0)),  # prlimit64
        ((203, 122), _only_own(0)),  # sched_setaffinity, sched_setparam, sched_setscheduler, sched_setattr
        ((142, 118), _only_own(0)),
        ((144, 119), _only_own(0)),
        ((314, 274), _only_own(0)),
        ((251, 30), _only_own(1)),  # ioprio_set
        ((141, 140), [_argument(0), (EQUAL, 1, 0, 0), _refuse(EPERM), *_only_own(1)]),  # setpriority
    ]


def _build_shared_rules() -> list[tuple[tuple[int, int], Block]]:
    """Calls that reach files of the same user by path, which Landlock does not hold, or start processes."""
    ask: Block = [(RETURN, 0, 0, _ASK)]
    named: Block = [_argument(1), (EQUAL, 0, 3, 0), _argument(1, 4), (EQUAL, 0, 1, 0), _allow(), *ask]
    return [
        *((numbers, ask) for numbers in (FORK, VFORK, CHMOD, FCHMODAT)),
        (UTIMENSAT, named),
        (_FCHMODAT2, [_refuse(_ENOSYS)]),
        *((numbers, [_refuse(_EOPNOTSUPP if "xattr" in name else EPERM)]) for name, numbers in _ANY_ATTRIBUTE.items()),
    ]


def _older(abi: int) -> list[tuple[tuple[int, int], Block]]:
    """Return the rules for calls that older versions of Landlock do not hold."""
    return [] if abi >= 3 else [(_TRUNCATE, [_refuse(EPERM)])]


def _socket() -> Block:
    """TCP only."""
    return [
        _argument(0),
        (EQUAL, 2, 0, _INET),
        (EQUAL, 1, 0, _INET6),
        _refuse(_EAFNOSUPPORT),
        _argument(1),
        (_AND, 0, 0, 0xF),
        (EQUAL, 0, 4, _STREAM),
        _argument(2),
        (EQUAL, 1, 0, 0),
        (EQUAL, 0, 1, _TCP),
        _allow(),
        _refuse(_EPROTONOSUPPORT),
    ]


def _socketpair() -> Block:
    """Streams only: a pair for datagrams can also send elsewhere."""
    kind: Block = [_argument(1), (_AND, 0, 0, 0xF), (EQUAL, 0, 1, _STREAM), _allow()]
    return [_argument(0), (EQUAL, 0, len(kind), _UNIX), *kind, _refuse(_EAFNOSUPPORT)]


def _unless(number: int, values: tuple[int, ...]) -> Block:
    """Refused for these values of an argument."""
    tests: Block = [(EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [_argument(number), *tests, _allow(), _refuse(EPERM)]


def _unless_bit(number: int, bit: int) -> Block:
    return [_argument(number), (_ANY_BIT, 0, 1, bit), _refuse(EPERM), _allow()]


def _only_own(number: int) -> Block:
    """Only for the calling process, which is 0."""
    return [_argument(number), (EQUAL, 0, 1, 0), _allow(), _refuse(EPERM)]


def _argument(number: int, half: int = 0) -> Instruction:
    return (LOAD, 0, 0, AT + 8 * number + half)


def _allow() -> Instruction:
    return (RETURN, 0, 0, ALLOW)


def _refuse(error: int) -> Instruction:
    return (RETURN, 0, 0, REFUSE | error)
