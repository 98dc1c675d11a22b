"""The system calls a sandbox may not make: what no limit counts, what no namespace holds, what looks into other
processes.
"""

import platform
import struct
from collections.abc import Mapping

Instruction = tuple[int, int, int, int]
LOAD, EQUAL, _AT_LEAST, RETURN = (
    0x20,
    0x15,
    0x35,
    0x06,
)  # BPF_LD|W|ABS, BPF_JMP|JEQ|K, BPF_JMP|JGE|K, BPF_RET|K; linux/filter.h
ALLOW, _KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x00050000  # linux/seccomp.h; the last is or-ed with an errno
EPERM, _EAFNOSUPPORT = 1, 97
_NUMBER, _ARCHITECTURE, AT = 0, 4, 16  # offsets in struct seccomp_data; AT of the arguments
_X32 = 0x40000000
_FAMILIES = (
    1,
    2,
    10,
    16,
)  # unix, inet, inet6, netlink; vsock would reach the machine's host past the network namespace
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # linux/audit.h

# Numbers on x86_64 and on aarch64, from asm/unistd_64.h and asm-generic/unistd.h
REFUSED = {
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "fanotify_init": (300, 262),
    "syslog": (103, 116),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265),
    "quotactl": (179, 60),
    "swapon": (167, 224),
    "acct": (163, 89),
    "reboot": (169, 142),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
}
SOCKET = (41, 198)


def is_known_machine(machine: str = "") -> bool:
    """Whether the calls of this machine are known."""
    return (machine or platform.machine()) in AUDIT


def program(machine: str = "") -> bytes:
    """The filter as the kernel takes it, for `bwrap --seccomp`."""
    machine = machine or platform.machine()
    column = list(AUDIT).index(machine)
    code = [*begin(machine), *refuse_all(REFUSED, column)]
    code += [(EQUAL, 1, 0, SOCKET[column]), (RETURN, 0, 0, ALLOW), (LOAD, 0, 0, AT)]
    for family in _FAMILIES:
        code += [(EQUAL, 0, 1, family), (RETURN, 0, 0, ALLOW)]
    return pack([*code, (RETURN, 0, 0, REFUSE | _EAFNOSUPPORT)])


def begin(machine: str) -> list[Instruction]:
    """The beginning of a filter: another architecture's calls are none; the number of the call is at hand then."""
    code = [
        (LOAD, 0, 0, _ARCHITECTURE),
        (EQUAL, 1, 0, AUDIT[machine]),
        (RETURN, 0, 0, _KILL),
        (LOAD, 0, 0, _NUMBER),
    ]
    if machine == "x86_64":
        code += [(_AT_LEAST, 0, 1, _X32), (RETURN, 0, 0, REFUSE | EPERM)]
    return code


def refuse_all(calls: Mapping[str, tuple[int, int]], column: int) -> list[Instruction]:
    """Refuse calls by number; -1 stands for one that a machine has not."""
    return [
        part
        for numbers in calls.values()
        if numbers[column] >= 0
        for part in ((EQUAL, 0, 1, numbers[column]), (RETURN, 0, 0, REFUSE | EPERM))
    ]


def pack(code: list[Instruction]) -> bytes:
    """The instructions as the kernel takes them."""
    return b"".join(struct.pack("=HBBI", *one) for one in code)
