"""The world behind a run: open at any step, its pages served by the real apps, its score as it would have been."""

import asyncio
import json
import shutil
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from world.agents import runner
from world.agents.branch import read_record
from world.core.principal import Principal
from world.run import episode
from world.run.episode import Episode
from world.run.home import Home
from world.run.host import Host
from world.run.needs import CapabilityError
from world.run.run_folder import Contents
from world.run.trajectory import CONTENT_FOLDER
from world.run.trajectory_reader import TrajectoryError, read_steps
from world.script import loader
from world.script.errors import ScenarioError
from world.server.control_state import Plane
from world.server.serve import listening, tcp
from world.store import StoreError
from world.studio.run_view import RunView

WORLD = "run"  # the name of a run's world on its host
MAX_FORKS = 16  # forks of one run that are kept for their pages
MAX_OPEN = 3  # stored runs whose worlds are kept open
UNOPENED = (TrajectoryError, LookupError, ScenarioError, StoreError, CapabilityError, FileNotFoundError)


@dataclass(slots=True)
class RunWorld:
    """A world on a host whose agent plane is up. Forks of it stand where the run stood after a step."""

    plane: Plane
    run: Episode
    _numbers: "count[int]" = field(default_factory=lambda: count(1))
    _forks: OrderedDict[str, None] = field(default_factory=OrderedDict[str, None])
    _scores: dict[int, Mapping[str, Any]] = field(default_factory=dict[int, Mapping[str, Any]])
    holders: int = 0  # branches that somebody acts in; the world stays open for them

    def fork(self, view: RunView, step: int) -> Episode:
        """The episode as it stood after a step, 0 being its first moment. The caller drops it. Raises LookupError."""
        name = f"{self.run.world}.at-{next(self._numbers)}"
        if step == 0:
            chosen = self.run.actor.settings.model_dump(exclude={"seed", "scenario"})
            return episode.start(self.plane.host, self.run.scenario, seed=self.run.seed, world=name, **chosen)
        self.plane.host.fork(self.run.actor, name, view.seq_after(step))
        return episode.of_world(self.run, name)

    def drop(self, fork: Episode) -> None:
        """Let go of a fork."""
        self.plane.episodes.pop(fork.world, None)
        self.plane.host.drop(fork.world)

    def open_pages(self, view: RunView, step: int, app: str) -> str:
        """The address at which a browser sees an app as the agent's employee, in a fork of its own.

        The last few such forks are kept, older ones are dropped.
        """
        fork = self.fork(view, step)
        self._forks[fork.world] = None
        while len(self._forks) > MAX_FORKS:
            oldest, _ = self._forks.popitem(last=False)
            self.plane.host.drop(oldest)
        return make_login(fork, app)

    async def grade(self, view: RunView, step: int) -> Mapping[str, Any]:
        """The verdict as it would have been had the agent stopped after a step; computed once."""
        if step not in self._scores:
            fork = self.fork(view, step)
            try:
                self._scores[step] = json.loads(await self.plane.grader.grade(fork))
            finally:
                self.drop(fork)
        return self._scores[step]


def make_login(run: Episode, app: str) -> str:
    """The address at which a browser sees an app as the agent's employee."""
    session = Principal(run.world, run.agent, "session", "", generation=run.actor.generation)
    return f"{run.host.public_url}/login/{run.host.tokens.issue(session)}?next=/{app}/"


class RunWorlds:
    """The worlds of the runs that are looked at: those that `plane` serves, and stored ones, opened when asked for."""

    def __init__(self, home: Home, plane: Plane | None = None) -> None:
        self._home, self.plane = home, plane
        self._open: OrderedDict[Path, tuple[RunWorld, AsyncExitStack]] = OrderedDict()
        self._lock = asyncio.Lock()

    async def open(self, view: RunView) -> RunWorld:
        """The world of a run. Raises ScenarioError, StoreError, FileNotFoundError, ValueError for one that cannot be
        made again.
        """
        async with self._lock:
            if view.folder in self._open:
                self._open.move_to_end(view.folder)
                return self._open[view.folder][0]
            await self._make_room()
            stack = AsyncExitStack()
            made = await self._make(view, stack)
            self._open[view.folder] = (made, stack)
            return made

    @property
    def has_live(self) -> bool:
        """Whether worlds of this process are served."""
        return self.plane is not None

    def find_live(self, folder: Path) -> str | None:
        """The served world whose trajectory is in a folder, with all its steps written; None for a stored run."""
        kept = self.plane.trajectories if self.plane is not None else None
        world = kept.find(folder) if kept is not None else None
        if kept is not None and world is not None:
            kept.write(world)
        return world

    async def _make_room(self) -> None:
        """Close the worlds that were not looked at for longest, and that nobody acts in."""
        idle = [folder for folder, (world, _) in self._open.items() if not world.holders]
        for folder in idle[: max(0, len(self._open) - MAX_OPEN + 1)]:
            await self._open.pop(folder)[1].aclose()

    async def _make(self, view: RunView, stack: AsyncExitStack) -> RunWorld:
        live = self.find_live(view.folder)
        if self.plane is not None and live is not None:
            if live not in self.plane.episodes:
                raise LookupError(f"{live} was made without a scenario: nobody is cast, and there is nothing to grade")
            return RunWorld(self.plane, self.plane.episodes[live])
        try:
            return await self._reopen(view, stack)
        except BaseException:
            await stack.aclose()
            raise

    async def _reopen(self, view: RunView, stack: AsyncExitStack) -> RunWorld:
        scratch = Path(stack.enter_context(TemporaryDirectory(prefix="firm-studio-")))
        kept = view.folder / "worlds"
        if kept.is_dir():
            shutil.copytree(kept, scratch / "worlds")
        config = runner.read_config(view.folder)
        host = runner.reopen_host(self._home, config, read_record(view.folder), scratch)
        stack.callback(host.store.close)
        run = await make_again(host, config, view, is_kept=host.store.holds(WORLD))
        up = await stack.enter_async_context(listening(host, tcp("127.0.0.1", 0)))
        return RunWorld(up.plane, run)

    async def close(self) -> None:
        """Let go of every world that was opened here."""
        while self._open:
            _, (_, stack) = self._open.popitem()
            await stack.aclose()


async def open_world(worlds: RunWorlds, view: RunView) -> RunWorld:
    """The world of a run. Raises TrajectoryError for a run that cannot be repeated, and what RunWorlds.open raises."""
    try:
        return await worlds.open(view)
    except ValueError as error:
        raise TrajectoryError(f"The world of {view.name} cannot be made again: {error}") from error


async def make_again(host: Host, config: runner.RunConfig, view: RunView, *, is_kept: bool) -> Episode:
    """The episode of a stored run at its end: from the log that it kept, else by repeating its steps one by one."""
    if is_kept:
        return episode.reopen(host, loader.find_scenario(config.scenario), WORLD)
    run = runner.restart(host, config)
    contents = Contents(view.folder / CONTENT_FOLDER)
    for line in read_steps(view.folder):
        runner.repeat_step(run, contents, line.row)
        await asyncio.sleep(0)
    return run
