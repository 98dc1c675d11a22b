"""Runs the steps of a workflow: each in a sandbox of its own, one after another on one disk."""

from collections.abc import Collection, Mapping, Sequence

from world.core.clock import wall_seconds
from world.sandbox.launcher import TREE, Job, launched, refused
from world.sandbox.model import Limits, Outcome, Step, StepResult, conclude
from world.sandbox.namespaces import Room, room
from world.sandbox.normalise import scrub
from world.sandbox.probe import require
from world.sandbox.process import Running, watch
from world.sandbox.tar_stream import fault, packed

SET_UP = "Set up files"
_SCRIPT = "/run/step"


def run(
    files: Mapping[str, bytes],
    steps: Sequence[Step],
    *,
    env: Mapping[str, str] | None = None,
    limits: Limits | None = None,
    executable: Collection[str] = (),
) -> Outcome:
    """Lay out the files and run the steps; whatever they do is told by the outcome. Raises Unavailable."""
    bounds = limits or Limits()
    deadline = wall_seconds() + bounds.wall_s
    with room(require(), bounds) as made:
        broken = laid_out(made, 0, files, executable, deadline)
        if broken is not None:
            return conclude((broken, *(_skipped(step) for step in steps)))
        done: list[StepResult] = []
        for step in steps:
            done.append(_ran(made, step, env or {}, deadline) if _due(step, done) else _skipped(step))
        return conclude(tuple(done))


def laid_out(
    made: Room, disk: int, files: Mapping[str, bytes], executable: Collection[str], deadline: float
) -> StepResult | None:
    """Unpack the files on a disk from within a sandbox; the failure, if they cannot be."""
    why = fault(files, made.limits.disk_mb << 20, made.limits.files)
    if why is not None:
        return StepResult(SET_UP, 1, f"{why}\n", "failure")
    unpack = ("/usr/bin/tar", "--extract", "--no-same-owner", "--directory", TREE, "--file", "-")
    result = finished(made, SET_UP, Job(unpack, disk, stdin=packed(files, executable)), deadline)
    return None if result.outcome == "success" else result


def finished(made: Room, name: str, job: Job, deadline: float) -> StepResult:
    """Run a job to its end or to a limit."""
    with launched(made, job) as running:
        watch([running], running.over, deadline, made.limits.memory_mb << 20)
        running.end()
        return result_of(made.limits, name, running)


def result_of(limits: Limits, name: str, running: Running) -> StepResult:
    """What an ended sandbox comes to; a limit that ended it is the last line of its output."""
    output = scrub(bytes(running.captures[0].data))
    if running.captures[0].full:
        running.stopped = running.stopped or "cut off"
    if running.stopped is None:
        code = running.popen.returncode
        return StepResult(name, code, output, "failure" if code else "success")
    said = {
        "timed_out": f"time limit of {limits.wall_s:g} s reached",
        "memory": f"memory limit of {limits.memory_mb} MB reached",
        "cut off": f"output limit of {limits.output_kb} KB reached",
    }
    start = "" if not output or output.endswith("\n") else "\n"
    how = "failure" if running.stopped == "memory" else running.stopped
    return StepResult(name, None, f"{output}{start}[{said[running.stopped]}]\n", how)


def _ran(made: Room, step: Step, env: Mapping[str, str], deadline: float) -> StepResult:
    both = {**env, **step.env}
    why = refused(both, step.directory)
    if why is not None:
        return StepResult(step.name, 1, f"{why}\n", "failure")
    script = step.script.encode("utf-8", "replace")
    job = Job((*made.host.shell, _SCRIPT), directory=step.directory, env=both, texts={_SCRIPT: script})
    return finished(made, step.name, job, deadline)


def _due(step: Step, done: Sequence[StepResult]) -> bool:
    """Whether a step runs after these; nothing does once the time is up."""
    how = conclude(tuple(done)).conclusion
    return how != "timed_out" and (step.when == "always" or step.when == how)


def _skipped(step: Step) -> StepResult:
    return StepResult(step.name, None, "", "skipped")
