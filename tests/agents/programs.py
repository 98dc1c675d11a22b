"""Agents that try to get at their grader, or misbehave as programs do; each says on stdout what it has found."""

import ctypes
import json
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

from world import grading
from world.agents.task import Task

PTRACE_ATTACH = 16


def _gets(action: Callable[[], object]) -> bool:
    try:
        return bool(action())
    except OSError:
        return False


def _attaches(process: int) -> bool:
    return ctypes.CDLL(None).ptrace(PTRACE_ATTACH, process, None, None) == 0


def _signals(process: int) -> bool:
    os.kill(process, 0)
    return True


def _writes(path: Path) -> bool:
    path.write_text("{}", encoding="utf-8")
    return True


def prowls(task: Task) -> None:
    """Tries everything, and says what worked. The text of the task names the grader, its secrets and its code."""
    told = json.loads(task.text)
    grading.grade = lambda *given, **more: None
    found: dict[str, bool] = {"environment": any("FIRM" in name or "SECRET" in name for name in os.environ)}
    found["descriptors"] = len(os.listdir("/proc/self/fd")) > 4  # the three, and that of the folder being read
    for path in told["secrets"]:
        found[f"reads {path}"] = _gets(lambda path=path: Path(path).read_bytes())
        found[f"writes {path}"] = _gets(lambda path=path: _writes(Path(path)))
        found[f"adds to {path}"] = _gets(lambda path=path: _writes(Path(path).with_name("added")))
        found[f"replaces {path}"] = _gets(lambda path=path: Path(path).unlink() or True)
    for process in (told["grader"], os.getppid()):
        for name in ("environ", "mem", "root/etc/hostname", "cwd/pyproject.toml"):
            found[f"reads {process}'s {name}"] = _gets(lambda name=name, p=process: open(f"/proc/{p}/{name}", "rb"))
        found[f"traces {process}"] = _attaches(process)
        found[f"signals {process}"] = _gets(lambda p=process: _signals(p))
    found["changes the grader's code"] = _gets(lambda: open(told["code"], "ab"))
    found["its own folder"] = _gets(lambda: _writes(Path(os.environ["HOME"], "notes")))
    print(json.dumps(found))


def leaves(task: Task) -> None:
    """Leaves a process behind that belongs to nobody, in a session of its own, and says its number."""
    read, write = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.write(write, str(os.getpid()).encode())
            threading.Event().wait()
        os._exit(0)
    print(os.read(read, 100).decode(), flush=True)


def stays(task: Task) -> None:
    """Says its number and does not go, whoever asks."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print(os.getpid(), flush=True)
    while True:
        threading.Event().wait(60)


def leaves_at_once(task: Task) -> None:
    """Is gone without having done anything, and says that all is well."""
    os._exit(0)
