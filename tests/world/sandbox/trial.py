"""One script tried in a sandbox, and what the host shows of it afterwards."""

from pathlib import Path
from textwrap import dedent

from world.sandbox import Limits, Outcome, Step, StepResult, run

SMALL = Limits(cpu_s=5, wall_s=15, disk_mb=8, files=500, memory_mb=256, processes=32, output_kb=64)


def shell(script: str, limits: Limits = SMALL, **files: bytes) -> StepResult:
    """How a shell script went."""
    return run(files, [Step("try", script)], limits=limits).steps[0]


def python(code: str, limits: Limits = SMALL) -> StepResult:
    """How a Python program went."""
    return run({"try.py": dedent(code).encode()}, [Step("try", "exec python try.py")], limits=limits).steps[0]


def after(code: str, limits: Limits = SMALL) -> Outcome:
    """How a program went, and a step that always follows it."""
    steps = [
        Step("try", "exec python try.py"),
        Step("after", "ls /proc 2>/dev/null | grep -c '^[0-9]' || true; echo still here", when="always"),
    ]
    return run({"try.py": dedent(code).encode()}, steps, limits=limits)


def running_with(mark: str) -> list[str]:
    """Processes of this host that have a mark in their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes()
        except OSError:
            continue
        if mark.encode() in line:
            found.append(line.decode("utf-8", "replace"))
    return found
