"""What the studio's pages share: the runs of one folder, the worlds behind them, the templates."""

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from world.core.clock import iso
from world.run.home import Home
from world.studio.hand_branch import HandBranches
from world.studio.panels import STEP_PANELS
from world.studio.program_branches import MODEL, ProgramBranches
from world.studio.run_list import RunList
from world.studio.run_view import RunView, StepSummary
from world.studio.run_world import RunWorld, RunWorlds, open_world
from world.web import assets, template_env
from world.web.response_headers import html
from world.web.theme import neutral_theme

HERE = Path(__file__).parent
MAX_VIEWS = 8  # runs whose steps stay indexed
PAGE = 200  # steps of one window of a list
THEME = neutral_theme("Studio")
LABELS = ("good", "wrong", "needless", "unsafe")  # that one key puts on a step
KEYS = (
    ("Next step", "j →"),
    ("Step before", "k ←"),
    ("Search", "/"),
    ("Change a call", "b"),
    ("Remark", "r"),
    *((f"Label the step {label!r}", str(number)) for number, label in enumerate(LABELS, 1)),
    ("This list", "?"),
)


@dataclass(frozen=True, slots=True)
class StepList:
    """The steps of a run that hold a text, or all of them, from a place on. `numbers` is none for all steps."""

    wanted: str = ""
    numbers: Sequence[int] | None = None
    first: int = 0

    def count(self, steps: Sequence[StepSummary]) -> int:
        """How many steps are listed in all."""
        return len(steps) if self.numbers is None else len(self.numbers)

    def window(self, steps: Sequence[StepSummary]) -> Sequence[StepSummary]:
        """The steps of one window."""
        if self.numbers is None:
            return steps[self.first : self.first + PAGE]
        return [steps[number - 1] for number in self.numbers[self.first : self.first + PAGE]]

    def neighbours(self, number: int, last: int) -> tuple[int | None, int | None]:
        """The steps before and after one, 0 being the first moment of a list of all steps."""
        if self.numbers is None:
            return (number - 1 if number else None), (number + 1 if number < last else None)
        place = bisect_left(self.numbers, number)
        after = place + 1 if place < len(self.numbers) and self.numbers[place] == number else place
        return (
            self.numbers[place - 1] if place else None,
            self.numbers[after] if after < len(self.numbers) else None,
        )


class Studio:
    """The runs of one folder, and the worlds behind them."""

    def __init__(
        self,
        home: Home,
        root: Path,
        worlds: RunWorlds | None = None,
        env: tuple[str, ...] = (),
    ) -> None:
        self.home, self.worlds, self.programs = home, worlds or RunWorlds(home), ProgramBranches(env)
        self.runs, self.hands = RunList(root, self.worlds.plane), HandBranches(home)
        self._views: OrderedDict[str, RunView] = OrderedDict()
        self._found: tuple[str, int, str, Sequence[int]] | None = None
        self._scores: dict[Path, dict[int, Mapping[str, Any]]] = {}
        self.env = template_env.environment((HERE / "templates",), (("utc", show_moment),))
        self.files, self.shell = assets.read_assets(HERE / "static"), assets.shell()

    def view(self, name: str) -> RunView:
        """The run of a name, with the steps written so far. Raises TrajectoryError, HTTPException 404."""
        folder = self.runs.find(name)
        if folder is None:
            raise HTTPException(404, f"there is no run {name!r}")
        if name not in self._views:
            self._views[name] = RunView(name, folder)
        self._views.move_to_end(name)
        while len(self._views) > MAX_VIEWS:
            self._views.popitem(last=False)
        self._views[name].refresh()
        return self._views[name]

    async def close(self) -> None:
        """Let go of the branches that people and programs act in, and of every world that was opened here."""
        self.hands.close()
        await self.programs.close()
        await self.worlds.close()

    async def open_world(self, view: RunView) -> RunWorld:
        """The world of a run. Raises TrajectoryError for a run that cannot be repeated, and what RunWorlds.open raises."""
        return await open_world(self.worlds, view)

    def list_steps(self, view: RunView, wanted: str) -> StepList:
        """The steps that hold a text anywhere, all of them for an empty one; the last search is kept."""
        if not wanted:
            return StepList()
        key = (view.name, len(view.steps), wanted)
        if self._found is None or self._found[:3] != key:
            self._found = (*key, view.search(wanted))
        return StepList(wanted, self._found[3])

    def scores(self, view: RunView) -> dict[int, Mapping[str, Any]]:
        """The verdicts at steps of a run that are known so far."""
        return self._scores.setdefault(view.folder, {})

    def render(self, template: str, context: Mapping[str, object], status: int = 200) -> Response:
        """A page of the studio."""
        return html(template_env.render_page(self.env, template, self.context() | dict(context)), status)

    def context(self) -> dict[str, Any]:
        """What every template of the studio gets."""
        return {
            "theme": THEME,
            "pages": None,
            "live": False,
            "site_url": str,
            "shell": self.shell.linked(lambda path: f"/web{path}"),
            "asset": self.files.linked(lambda path: f"/studio{path}"),
            "vendored": self.shell.has,
            "panels": STEP_PANELS,
            "keys": KEYS,
            "labels": LABELS,
            "hands": self.hands,
            "model": self.programs.model,
            "model_agent": MODEL,
            "has_worlds": self.worlds.has_live,
            "root": str(self.runs.root),
        }


def show_moment(at: int) -> str:
    """A simulated time (us) as pages show it: `2026-03-02 13:31:00 UTC`."""
    return f"{iso(at)[:19].replace('T', ' ')} UTC"
