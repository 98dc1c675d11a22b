"""The process that grades for a server: `python -m world.server.grading_process IMAGE`. Jobs come on stdin, each with the
hashes of its state behind it; verdicts go to stdout. All are pickled behind their length; the end of stdin is its end.
"""

import gc
import os
import pickle
import struct
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

from world.core.garbage import collect_rarely
from world.grading.judge import Judge
from world.grading.verdict import SERVED
from world.run import episode
from world.run.host import Host, open_host
from world.run.preparation import Preparation, Preparations, TaskMark, prepare
from world.run.run_evidence import RunRecord
from world.script import loader
from world.script.errors import ScenarioError
from world.script.loader import Scenario

LENGTH = struct.Struct("<Q")


@dataclass(frozen=True, slots=True)
class Job:
    """One finished run: its task, and the run's record."""

    mark: TaskMark
    settings: Mapping[str, Any]
    found: RunRecord
    judge: Judge | None = None


class GradingProcess:
    """Prepares tasks as they come, and grades their runs."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._preparations = Preparations()
        self._scenarios: dict[tuple[str, str], Scenario] = {}
        self._numbers = count()

    def verdict(self, job: Job, hashes: tuple[str, str] | None = None) -> bytes:
        """Return the verdict's bytes, before the hashes are there if need be. Raises the errors of the scenario."""
        known = job.mark in self._preparations
        ready = self._preparations.get(job.mark, lambda: self._prepare(job))
        verdict = replace(ready.verdict(job.found, hashes, judge=job.judge), trust=SERVED).to_json()
        if not known:
            gc.collect()
            gc.freeze()  # objects of a task live on: collecting them again and again costs more than a verdict
        return verdict

    def _prepare(self, job: Job) -> Preparation:
        name = f"task-{next(self._numbers)}"
        scenario = self._scenario(job.mark)
        root = episode.start(self._host, scenario, seed=job.mark.seed, world=name, **job.settings)
        try:
            return prepare(root)
        finally:
            self._host.drop(name)

    def _scenario(self, mark: TaskMark) -> Scenario:
        key = (mark.folder, mark.revision)
        if key not in self._scenarios:
            found = loader.find_scenario(mark.folder)
            if found.revision != mark.revision:
                raise ScenarioError(f"{found.name} has changed since the server has read it")
            self._scenarios.clear()
            self._scenarios[key] = found
        return self._scenarios[key]


def read_frame(file: BinaryIO) -> Any:
    """The next object. Raises EOFError."""
    head = file.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    return pickle.loads(file.read(LENGTH.unpack(head)[0]))


def frame(what: object) -> bytes:
    """An object as it is sent."""
    body = pickle.dumps(what)
    return LENGTH.pack(len(body)) + body


def main() -> None:
    """Answer jobs until there are no more; None stands for one that could not be graded here."""
    collect_rarely()
    jobs, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of a scenario is no answer
    with tempfile.TemporaryDirectory(prefix="firm-grading-") as scratch:
        host = open_host(Path(sys.argv[1]), Path(scratch))
        grading = GradingProcess(host)
        try:
            while True:
                answers.write(frame(_answer(grading, jobs)))
                answers.flush()
        except (EOFError, BrokenPipeError, KeyboardInterrupt):
            host.store.close()


def _answer(grading: GradingProcess, jobs: BinaryIO) -> bytes | None:
    """The verdict on the next job, which counts only if its hashes are equal. None is asked to see whether we are there."""
    job: Job | None = read_frame(jobs)
    if job is None:
        return b""
    found = _grade(grading, job)
    advanced, counted = read_frame(jobs)
    return found if advanced == counted else _grade(grading, job, (advanced, counted))


def _grade(grading: GradingProcess, job: Job, hashes: tuple[str, str] | None = None) -> bytes | None:
    try:
        return grading.verdict(job, hashes)
    except Exception:  # noqa: BLE001  the edge of a process: the server grades it itself and says what is wrong
        return None


if __name__ == "__main__":
    main()
