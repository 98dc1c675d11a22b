"""Grading beside the server: a run is finished in turns with other worlds' requests, and graded in another process."""

import asyncio
import os
import pickle
import sys
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

from world.core import event_queue
from world.grading.judge import Judge
from world.grading.verdict import SERVED
from world.run import episode
from world.run.episode import Episode
from world.run.host import Host
from world.run.preparation import Preparations, mark_of, prepare
from world.run.run_evidence import collect_run_record
from world.server.grading_process import LENGTH, Job, frame


@dataclass
class Grader:
    """Grader of one server. Its process starts with the first verdict."""

    host: Host
    judge: Judge | None = None
    busy: set[str] = field(default_factory=set[str])
    _numbers: "count[int]" = field(default_factory=count)
    _own: Preparations = field(default_factory=Preparations)
    _process: asyncio.subprocess.Process | None = None
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def grade(self, run: Episode, at: int | None = None) -> bytes:
        """Return the verdict of a run as it stands, or stood after call `at`, finished in a fork.

        Raises UnknownCall, and the errors of its scenario.
        """
        name = f"{run.world}.graded-{next(self._numbers)}"
        self.busy.add(name)
        self.host.fork(run.actor, name, at)
        try:
            copy = episode.of_world(run, name)
            await _finish(copy)
            settings = copy.actor.settings.model_dump(exclude={"seed", "scenario"})
            job = Job(mark_of(copy), settings, collect_run_record(copy.actor), self.judge)
            answer = await self._ask(job, copy)
            return answer if answer is not None else self._grade_here(copy, job)
        finally:
            self.host.drop(name)
            self.busy.discard(name)

    async def warm(self) -> None:
        """Start the process before it is needed."""
        await self._ask(None)

    def _grade_here(self, copy: Episode, job: Job) -> bytes:
        ready = self._own.get(job.mark, lambda: prepare(copy))
        return replace(ready.verdict(job.found, _hash(copy), judge=self.judge), trust=SERVED).to_json()

    async def _ask(self, job: Job | None, run: Episode | None = None) -> bytes | None:
        """The process's answer; None where there is none, because it was lost or could not. The state of the run is hashed
        while the process reads the run.
        """
        async with self._lock:
            try:
                asked = frame(job)
            except (pickle.PicklingError, TypeError, AttributeError):  # a judge that stays here
                return None
            try:
                if self._process is None or self._process.returncode is not None:
                    self._process = await _start(self.host.store.base.path)
                return await _exchange(self._process, asked, run)
            except (OSError, EOFError, asyncio.IncompleteReadError):
                await self._end()
                return None
            except BaseException:  # half an exchange would be read as the next run's
                await self._end()
                raise

    async def close(self) -> None:
        """End the process."""
        async with self._lock:
            await self._end()

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _finish(run: Episode) -> None:
    """Let a world run on to its horizon, event by event, so that other requests are served in between."""
    horizon = run.actor.settings.horizon_at
    if horizon is None:
        return
    while (queued := event_queue.find_due_event(run.actor.bound, horizon)) is not None:
        run.actor.events.fire_until(queued.due)
        await asyncio.sleep(0)
    episode.finish(run)


def _hash(run: Episode) -> tuple[str, str]:
    return episode.advance_hash(run), episode.recount_changed_rows(run)


async def _start(image: Path) -> asyncio.subprocess.Process:
    path = os.pathsep.join(os.path.abspath(one) for one in sys.path if one and os.path.exists(one))
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "world.server.grading_process",
        str(image),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    )


async def _exchange(process: asyncio.subprocess.Process, asked: bytes, run: Episode | None) -> Any:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.transport.set_write_buffer_limits(0)  # drained is what the process has, not what waits here
    process.stdin.write(asked)
    await process.stdin.drain()
    if run is not None:
        process.stdin.write(frame(_hash(run)))
        await process.stdin.drain()
    head = await process.stdout.readexactly(LENGTH.size)
    return pickle.loads(await process.stdout.readexactly(LENGTH.unpack(head)[0]))
