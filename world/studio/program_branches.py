"""Branches in which an agent's program acts: each goes on by itself, and its run can be followed as it grows."""

import asyncio
import logging
import os

from world.agents import reference
from world.agents.runner import ProgramSettings
from world.studio.branch_request import Branch
from world.studio.run_list import mark_stopped

MODEL = f"{reference.__name__}:{reference.agent.__name__}"  # plays with the model that OPENAI_* names
LOG = logging.getLogger("firmament")


class ProgramBranches:
    """The branches of one studio that programs act in. `env` names the variables that they are given."""

    def __init__(self, env: tuple[str, ...]) -> None:
        self._program = ProgramSettings(env=env)
        self._running: set[asyncio.Task[None]] = set()

    @property
    def model(self) -> str:
        """The name of the model that can go on; empty where the studio was started without one."""
        needed = ("OPENAI_BASE_URL", "OPENAI_MODEL")
        return os.environ.get("OPENAI_MODEL", "") if set(needed) <= set(self._program.env) else ""

    async def begin(self, branch: Branch) -> None:
        """Start the program; return as soon as its run can be looked at.

        Raises what the changes that come first raise: AgentError, LookupError, TrajectoryError.
        """
        task = asyncio.create_task(self._carry_out(branch))
        await asyncio.sleep(0)  # the changes are made before the program is waited for
        if task.done():
            task.result()
            return
        self._running.add(task)
        task.add_done_callback(self._end)

    async def _carry_out(self, branch: Branch) -> None:
        branch.world.holders += 1
        try:
            await branch.carry_out(self._program)
        finally:
            branch.world.holders -= 1
            mark_stopped(branch.folder)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            LOG.error("a branch was not finished: %s", error)

    async def wait(self) -> None:
        """Wait until every program has ended."""
        await asyncio.gather(*self._running)

    async def close(self) -> None:
        """Stop every program; its run stays as it is, without a verdict."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
