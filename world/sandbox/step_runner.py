"""Runs the steps of a workflow: each in a sandbox of its own, one after another on one disk."""

from collections.abc import Collection, Mapping, Sequence

from world.core.clock import wall_seconds
from world.sandbox.ladder import Kind, RunSandboxes, require
from world.sandbox.launcher import TREE, Job, find_refusal
from world.sandbox.model import Limits, Outcome, Step, StepResult, conclude
from world.sandbox.normalise import scrub
from world.sandbox.process import RunningSandbox, watch
from world.sandbox.tar_stream import fault, pack_files

SET_UP = "Set up files"
_SCRIPT = "/run/step"


def run(
    files: Mapping[str, bytes],
    steps: Sequence[Step],
    *,
    env: Mapping[str, str] | None = None,
    limits: Limits | None = None,
    executable: Collection[str] = (),
    kind: Kind | None = None,
) -> Outcome:
    """Lay out the files and run the steps, in the kind of sandbox named or else the strongest that holds here.

    Failures of steps are part of the outcome. Raises Unavailable.
    """
    bounds = limits or Limits()
    deadline = wall_seconds() + bounds.wall_s
    with require(kind).room(bounds) as made:
        broken = unpack_files(made, 0, files, executable, deadline)
        if broken is not None:
            return conclude((broken, *(_skip_step(step) for step in steps)))
        done: list[StepResult] = []
        for step in steps:
            done.append(_ran(made, step, env or {}, deadline) if _due(step, done) else _skip_step(step))
        return conclude(tuple(done))


def unpack_files(
    made: RunSandboxes, disk: int, files: Mapping[str, bytes], executable: Collection[str], deadline: float
) -> StepResult | None:
    """Unpack the files on a disk from within a sandbox; the failure, if they cannot be."""
    why = fault(files, made.limits.disk_mb << 20, made.limits.files)
    if why is not None:
        return StepResult(SET_UP, 1, f"{why}\n", "failure")
    unpack = ("/usr/bin/tar", "--extract", "--no-same-owner", "--directory", TREE, "--file", "-")
    result = run_job(made, SET_UP, Job(unpack, disk, stdin=pack_files(files, executable)), deadline)
    return None if result.outcome == "success" else result


def run_job(made: RunSandboxes, name: str, job: Job, deadline: float) -> StepResult:
    """Run a job to its end or to a limit."""
    with made.launch(job) as running:
        watch([running], running.over, deadline, made.limits.memory_mb << 20)
        running.end()
        return result_of(made.limits, name, running)


def result_of(limits: Limits, name: str, running: RunningSandbox) -> StepResult:
    """Return the result of an ended sandbox; a limit that ended it is the last line of its output."""
    output = scrub(running.captures[0].text())
    if running.captures[0].full:
        running.stopped = running.stopped or "cut off"
    if running.stopped is None:
        code = running.popen.returncode
        return StepResult(name, code, output, "failure" if code else "success")
    said = {
        "timed_out": f"time limit of {limits.wall_s:g} s reached",
        "memory": f"memory limit of {limits.memory_mb} MB reached",
        "disk": f"disk limit of {limits.disk_mb} MB or {limits.files} files reached",
        "cut off": f"output limit of {limits.output_kb} KB reached",
    }
    start = "" if not output or output.endswith("\n") else "\n"
    how = "failure" if running.stopped in ("memory", "disk") else running.stopped
    return StepResult(name, None, f"{output}{start}[{said[running.stopped]}]\n", how)


def _ran(made: RunSandboxes, step: Step, env: Mapping[str, str], deadline: float) -> StepResult:
    both = {**env, **step.env}
    why = find_refusal(both, step.directory)
    if why is not None:
        return StepResult(step.name, 1, f"{why}\n", "failure")
    script = step.script.encode("utf-8", "replace")
    job = Job((*made.host.shell, _SCRIPT), directory=step.directory, env=both, texts={_SCRIPT: script})
    return run_job(made, step.name, job, deadline)


def _due(step: Step, done: Sequence[StepResult]) -> bool:
    """Whether a step runs after these; nothing does once the time is up."""
    how = conclude(tuple(done)).conclusion
    return how != "timed_out" and (step.when == "always" or step.when == how)


def _skip_step(step: Step) -> StepResult:
    return StepResult(step.name, None, "", "skipped")
