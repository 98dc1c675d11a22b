"""The trajectories of a served host's worlds: held in memory while they are short, written when somebody asks."""

import shutil
import weakref
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from world.core.clock import wall_seconds
from world.core.lazy import Lazy
from world.run.harness_notes import HarnessNote, add_note
from world.run.host import Host
from world.run.run_folder import Contents
from world.run.trajectory import FILE, Header, Opening, Origin, Trajectory, count_steps
from world.store import Bound

if TYPE_CHECKING:
    from world.run import run_config
    from world.run.episode import Episode
else:
    run_config = Lazy("world.run.run_config")

HOLD = 64  # steps of a world that wait in memory
SERVED = "served"  # who acts in a world of a served host, as far as the host knows
DROPPED = ".dropped-"  # begins the names of folders that only forks still need


class WorldTrajectories:
    """One folder per world, in the shape of a run folder.

    A dropped world takes its folder with it, as soon as no fork goes on from it.
    """

    def __init__(self, host: Host, folder: Path) -> None:
        self._host, self._folder, self._numbers = host, folder, count()
        self._open: dict[str, Trajectory] = {}
        for left in folder.glob(f"{DROPPED}*"):
            shutil.rmtree(left, ignore_errors=True)
        self._left = {path.name for path in folder.iterdir()} if folder.is_dir() else set[str]()

    def begin(self, world: str, run: "Episode | None", *, origin: Origin | None = None) -> None:
        """Record a new world. With an origin its first steps are those that it shares with its parent."""
        if world in self._left:
            self._left.discard(world)
            shutil.rmtree(self._folder / world, ignore_errors=True)
        self._record(world, run, origin)

    def resume(self, world: str, run: "Episode | None") -> None:
        """Record a world, after the steps that an earlier process has written."""
        self._record(world, run, None)

    def _record(self, world: str, run: "Episode | None", origin: Origin | None) -> None:
        parent = self._open.get(origin.run) if origin is not None else None
        folder = self._folder / world

        def open_file(bound: Bound, contents: Contents) -> Opening:
            lines = parent.list_lines(origin.seq, bound, contents) if parent and origin else []
            begun = origin.model_copy(update={"step": count_steps(lines)}) if origin else None
            return Opening(self._describe(folder, run, begun), lines)

        self._open[world] = Trajectory(
            self._host.actors[world],
            folder / FILE,
            open_file,
            clock=wall_seconds,
            hold=HOLD,
            since=origin.seq if origin is not None else None,
        )

    def _describe(self, folder: Path, run: "Episode | None", origin: Origin | None) -> Header:
        """Write what decides the world, and return its header; of a world without a scenario only its origin is known."""
        if run is None:
            return Header(origin=origin)
        settings = run.actor.settings.model_dump(mode="json", exclude={"seed", "scenario"}, exclude_none=True)
        config = run_config.describe_run(run, str(run.scenario.path), SERVED, "mcp", settings, {})
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        run_config.write_config(folder, config)
        return run_config.describe_header(run, config, origin)

    def adopt(self, world: str, trajectory: Trajectory) -> None:
        """Answer for a world whose trajectory is written to a run folder already."""
        self._open[world] = trajectory

    def folders(self) -> dict[str, Path]:
        """World -> folder of the worlds that are recorded, in order; a folder comes with the first step written."""
        return {world: self._open[world].path.parent for world in sorted(self._open)}

    def find(self, folder: Path) -> str | None:
        """The world that is recorded in a folder; None if there is none."""
        return next((world for world, found in self.folders().items() if found.resolve() == folder), None)

    def write(self, world: str) -> Path:
        """Write what waits, and return the folder of a world. Raises LookupError for one that is not recorded."""
        found = self._open.get(world)
        if found is None:
            raise LookupError(f"world {world} is not recorded")
        found.flush()
        return found.path.parent

    def note(self, world: str, note: HarnessNote) -> None:
        """Keep what a harness adds to the last step of a world. Raises LookupError for one that is not recorded."""
        folder = self.write(world)
        add_note(folder, self._open[world].steps, note)

    def drop(self, world: str) -> None:
        """Stop recording a world that is gone. A run folder stays."""
        found = self._open.pop(world, None)
        if found is None:
            return
        found.abandon()
        if found.path.parent.parent == self._folder and found.path.exists():
            kept = found.path.parent.rename(self._folder / f"{DROPPED}{next(self._numbers)}")
            found.move(kept / FILE)
            weakref.finalize(found, shutil.rmtree, kept, ignore_errors=True)

    def close(self) -> None:
        """Write everything that waits, for the next process."""
        for found in self._open.values():
            found.close()
        self._open.clear()
