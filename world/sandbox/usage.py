"""Usage of a sandbox as its supervisor sees it: number of processes, memory, disk."""

import os
import stat
from contextlib import suppress
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE")
MOST_DEPTH = 200
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_PARENT, _THREADS = 1, 17  # fields of /proc/PID/stat after the name


def list_descendants(ancestor: int) -> dict[int, int]:
    """The processes that a process has started, however deep, and how many threads each has."""
    children: dict[int, list[int]] = {}
    threads: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdecimal():
            with suppress(OSError, IndexError, ValueError):
                fields = Path(f"/proc/{name}/stat").read_bytes().rpartition(b")")[2].split()
                children.setdefault(int(fields[_PARENT]), []).append(int(name))
                threads[int(name)] = int(fields[_THREADS])
    found: dict[int, int] = {}
    left = [ancestor]
    while left:
        for child in children.get(left.pop(), ()):
            found[child] = threads[child]
            left.append(child)
    return found


def resident(process: Path) -> int:
    """Bytes of memory that a process holds, shared ones included."""
    try:
        return int((process / "statm").read_bytes().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def proportional(process: Path) -> int:
    """Bytes of memory with each page divided by those who share it; as many as it holds where that cannot be seen."""
    try:
        lines = (process / "smaps_rollup").read_bytes().splitlines()
    except OSError:
        return resident(process)
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith(b"Pss:")), 0)


def exceeds_memory(processes: list[Path], most: int) -> bool:
    """Whether processes together hold more than this; the exact count is made only when the quick one is over it."""
    return sum(map(resident, processes)) > most and sum(map(proportional, processes)) > most


def measure_disk(folder: str, processes: list[Path]) -> tuple[int, int]:
    """Bytes and files below a folder, with those that are deleted and still open. Raises RecursionError for folders in
    folders without end.
    """
    found: dict[int, int] = {}
    top = os.open(folder, _FOLDER)
    try:
        device = os.fstat(top).st_dev
        _measure(top, found, 0)
    finally:
        os.close(top)
    for process in processes:
        with suppress(OSError):
            for entry in os.scandir(process / "fd"):
                with suppress(OSError):
                    one = entry.stat()
                    if one.st_dev == device and one.st_nlink == 0 and stat.S_ISREG(one.st_mode):
                        found[one.st_ino] = one.st_blocks * 512
    return sum(found.values()), len(found)


def _measure(folder: int, found: dict[int, int], depth: int) -> None:
    if depth > MOST_DEPTH:
        raise RecursionError
    with os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):
                one = entry.stat(follow_symlinks=False)
                found[one.st_ino] = one.st_blocks * 512
                if stat.S_ISDIR(one.st_mode):
                    fd = _open_folder(entry.name, folder)
                    try:
                        _measure(fd, found, depth + 1)
                    finally:
                        os.close(fd)


def _open_folder(name: str, above: int) -> int:
    """A folder for reading, even one that its owner has closed."""
    try:
        return os.open(name, _FOLDER, dir_fd=above)
    except PermissionError:
        held = os.open(name, _FOLDER | os.O_PATH, dir_fd=above)
        try:
            mode = stat.S_IMODE(os.fstat(held).st_mode)
            os.chmod(f"/proc/self/fd/{held}", mode | stat.S_IRWXU)
            try:
                return os.open(f"/proc/self/fd/{held}", os.O_RDONLY | os.O_DIRECTORY)
            finally:
                os.chmod(f"/proc/self/fd/{held}", mode)
        finally:
            os.close(held)
