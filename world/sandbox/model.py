"""Requests to a sandbox, and their outcomes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

When = Literal["success", "failure", "always"]
How = Literal["success", "failure", "skipped", "timed_out", "cut off"]
Conclusion = Literal["success", "failure", "timed_out"]


class Unavailable(RuntimeError):
    """This host cannot isolate; the message is a sentence that says why, `mend` what helps."""

    def __init__(self, why: str, mend: str = "use the container image (docs/ci.md)") -> None:
        super().__init__(why)
        self.mend = mend


@dataclass(frozen=True)
class Limits:
    """Limits of one sandbox. CPU, open files and file size hold for each process, the rest for all together."""

    cpu_s: int = 20
    memory_mb: int = 512
    processes: int = 64
    disk_mb: int = 64
    files: int = 10_000
    open_files: int = 256
    wall_s: float = 60
    start_s: float = 10
    output_kb: int = 256


@dataclass(frozen=True)
class Step:
    """One script, run by `bash -e` in a folder of the tree, after earlier steps or in spite of their failure."""

    name: str
    script: str
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    directory: str = ""
    when: When = "success"


@dataclass(frozen=True)
class StepResult:
    """Result of a step; `exit_code` is None when it did not come to its own end."""

    name: str
    exit_code: int | None
    output: str
    outcome: How


@dataclass(frozen=True)
class Outcome:
    """Outcome of a run: every step in order, and the conclusion."""

    steps: tuple[StepResult, ...]
    conclusion: Conclusion


def conclude(steps: tuple[StepResult, ...]) -> Outcome:
    """The outcome of these steps: a timeout outweighs a failure."""
    seen = {step.outcome for step in steps}
    if "timed_out" in seen:
        return Outcome(steps, "timed_out")
    return Outcome(steps, "failure" if seen & {"failure", "cut off"} else "success")
