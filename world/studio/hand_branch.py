"""A branch in which a person acts by hand, in the real pages as the agent's employee, until they have it graded."""

from pathlib import Path

from world.agents import runner
from world.agents.branch import copy_contents
from world.grading.verdict import SERVED
from world.run.episode import Episode
from world.run.home import Home
from world.run.run_config import read_config
from world.run.trajectory import Origin, Trajectory
from world.studio.run_list import mark_stopped
from world.studio.run_view import RunView
from world.studio.run_world import RunWorld, make_login

HAND = "hand"  # the agent of such a run


class HandBranch:
    """A run that grows while somebody acts in it."""

    def __init__(self, world: RunWorld, run: Episode, folder: Path, trajectory: Trajectory) -> None:
        self._world, self._run, self.folder, self._trajectory = world, run, folder, trajectory

    @property
    def apps(self) -> dict[str, str]:
        """Name -> title of the apps that can be opened."""
        return {name: app.title for name, app in sorted(self._run.host.apps.items()) if name != "world"}

    def open_pages(self, app: str) -> str:
        """The address at which a browser acts in an app. Raises LookupError for an unknown one."""
        if app not in self.apps:
            raise LookupError(f"there is no app {app!r}")
        return make_login(self._run, app)

    def finish(self) -> runner.RunResult:
        """Run on to the horizon, grade, and let go of the world."""
        self._trajectory.close()
        try:
            return runner.close(self._run, self.folder, self._trajectory.steps, self._world.plane.judge, trust=SERVED)
        finally:
            self._let_go()

    def abandon(self) -> None:
        """Let go of the world; the run stays as it is, without a verdict."""
        self._trajectory.close()
        mark_stopped(self.folder)
        self._let_go()

    def _let_go(self) -> None:
        self._world.drop(self._run)
        self._world.holders -= 1


class HandBranches:
    """The branches of one studio that people act in, by folder."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._open: dict[Path, HandBranch] = {}

    def begin(self, world: RunWorld, view: RunView, step: int) -> HandBranch:
        """Fork a run's world as it stood after a step, and record what is done there. Raises LookupError."""
        config, lines = read_config(view.folder), view.read_lines(step)
        origin = Origin(run=view.name, step=step, seq=view.seq_after(step) if step else 0, change="by hand")
        plan = runner.Plan(config.scenario, HAND, "ui", config.settings, origin, lines)
        folder = runner.make_folder(self._home, Path(config.scenario).name, HAND, "ui", config.seed).resolve()
        copy_contents(view.folder, folder)
        fork = world.fork(view, step)
        world.holders += 1
        self._open[folder] = HandBranch(world, fork, folder, runner.record(fork, folder, plan, {}))
        return self._open[folder]

    def find(self, folder: Path) -> HandBranch | None:
        """The branch that somebody acts in; None for any other run."""
        return self._open.get(folder)

    def finish(self, folder: Path) -> runner.RunResult:
        """Grade a branch. Raises LookupError for one that nobody acts in."""
        if folder not in self._open:
            raise LookupError(f"nobody acts in {folder.name}")
        return self._open.pop(folder).finish()

    def close(self) -> None:
        """Let go of every branch."""
        while self._open:
            self._open.popitem()[1].abandon()
