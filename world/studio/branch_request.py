"""A branch that the studio is asked for: go on from a step with changed calls, then let somebody act."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from world.agents import runner
from world.agents.branch import copy_contents, read_door
from world.agents.options import OURS
from world.agents.program import check
from world.agents.resumption import DoneStep
from world.core.errors import OperationError
from world.core.json_types import is_object
from world.run.call_record import CallRecord
from world.run.episode import Episode
from world.run.home import Home
from world.run.run_config import read_config
from world.run.run_folder import Contents
from world.run.trajectory import CONTENT_FOLDER, Origin
from world.run.trajectory_reader import TrajectoryError, read_steps
from world.studio.run_view import RunView
from world.studio.run_world import RunWorld
from world.studio.tool_lists import LocalTools, open_local_tools

Change = Literal["none", "edit", "insert", "drop"]
REST = "rest of the run"  # stands for the steps of the run that follow the changed one
NOBODY = "nobody"


class BranchRequest(BaseModel):
    """What to change at a step, and who acts then: nobody, the rest of the run, or an agent of `firm run`.

    `edit` replaces the step's call, `insert` adds one after it, `drop` leaves it out, `none` goes on after it.
    The new call is a `tool` with its `arguments`, of a `surface` or the first one that has it; or an `operation`, by
    default the step's own.
    """

    model_config = ConfigDict(extra="forbid")
    step: int = Field(ge=0)
    change: Change = "none"
    operation: str = ""
    tool: str = ""
    surface: str = ""
    arguments: dict[str, Any] = Field(default_factory=dict)
    then: str = NOBODY

    @property
    def shared(self) -> int:
        """How many steps of the run the branch shares with it."""
        return self.step - 1 if self.change in ("edit", "drop") else self.step


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch that has its folder and its world; nothing has been done in it yet."""

    home: Home
    world: RunWorld
    view: RunView
    request: BranchRequest
    plan: runner.Plan
    folder: Path

    async def carry_out(self, program: runner.ProgramSettings) -> runner.RunResult:
        """Make the changes, let the agent act, and grade. Raises AgentError, LookupError, TrajectoryError."""
        fork, shared = begin_branch(self.world, self.view, self.request.shared, self.plan.agent)
        try:
            return await runner.carry_out(
                self.home,
                fork,
                self.folder,
                self.plan,
                program=program,
                progress=lambda _: None,
                judge=self.world.plane.judge,
                opening=lambda: [*shared, *_open(fork, self.view, self.request)],
                url=self.world.plane.host.public_url,
            )
        finally:
            self.world.drop(fork)


def prepare_branch(home: Home, world: RunWorld, view: RunView, request: BranchRequest) -> Branch:
    """Plan a branch and make its folder. Raises AgentError, LookupError, TrajectoryError."""
    agent = "null" if request.then in (NOBODY, REST) else request.then
    check(agent, OURS)
    seq = view.seq_after(request.shared) if request.shared else 0
    origin = Origin(run=view.name, step=request.shared, seq=seq, change=describe_change(request))
    config, before = read_config(view.folder), view.read_lines(request.shared)
    plan = runner.Plan(config.scenario, agent, read_door(config), config.settings, origin, before)
    folder = runner.make_folder(home, Path(config.scenario).name, agent, plan.door, config.seed)
    copy_contents(view.folder, folder)
    return Branch(home, world, view, request, plan, folder)


async def make_branch(home: Home, world: RunWorld, view: RunView, request: BranchRequest) -> runner.RunResult:
    """Make the branch, a run of its own, and grade it. Raises AgentError, LookupError, TrajectoryError."""
    return await prepare_branch(home, world, view, request).carry_out(runner.ProgramSettings())


def begin_branch(world: RunWorld, view: RunView, step: int, agent: str) -> tuple[Episode, list[DoneStep]]:
    """The world of a branch after a step, and the calls so far for an agent that asks for their answers.

    A fork has no answers, so for a solution the steps are repeated instead. Raises LookupError, TrajectoryError.
    """
    if agent != "oracle":
        return world.fork(view, step), []
    fork, rows = world.fork(view, 0), (line.row for line in islice(read_steps(view.folder), step))
    try:
        return fork, runner.repeat_steps(fork, view.folder, rows)
    except ValueError as error:
        world.drop(fork)
        raise TrajectoryError(f"{view.name} cannot be repeated: {error}") from None


def describe_change(request: BranchRequest) -> str:
    """What a branch changed, in words; empty for one that only goes on."""
    changed = (
        ""
        if request.change == "none"
        else f"{request.change} {request.tool or request.operation} at step {request.step}".strip()
    )
    return " ".join(f"{changed}, then {request.then}".removeprefix(", ").split())


def _open(fork: Episode, view: RunView, request: BranchRequest) -> Sequence[DoneStep]:
    """Do what the branch changes, and then the rest of the run if that is asked for."""
    hand = Repetition(fork, Contents(view.folder / CONTENT_FOLDER))
    done = list[DoneStep]()
    if request.change in ("edit", "insert"):
        done.append(hand.call(view.step(request.step) if request.step else {}, request))
    if request.then == REST:
        rest = (line.row for line in islice(read_steps(view.folder), request.step, None))
        done += [hand.repeat(row) for row in rest]
    return done


class Repetition:
    """Makes calls in a branch the way that the agent made them: a tool as a tool, so that what it says is on record."""

    def __init__(self, fork: Episode, contents: Contents) -> None:
        self._fork, self._contents = fork, contents

    @cached_property
    def _tools(self) -> LocalTools:
        return open_local_tools()

    def call(self, row: Mapping[str, Any], request: BranchRequest) -> DoneStep:
        """Make the new call of a branch at the place of a step. Raises LookupError for an unknown tool or operation."""
        if request.tool:
            surface = request.surface or next(self._tools.find_surfaces(request.tool), "")
            return self._call_tool(surface, request.tool, request.arguments)
        name = request.operation or str(row["operation"])
        operation, door = self._fork.host.operation(name), str(row.get("door", "mcp"))
        try:
            result = self._fork.host.call(self._fork.principal(operation.app), door, name, request.arguments)
        except OperationError:
            return DoneStep(name, request.arguments, None, is_ok=False)
        return DoneStep(name, request.arguments, result, is_ok=True)

    def repeat(self, row: Mapping[str, Any]) -> DoneStep:
        """Make a call of the run again. It may meanwhile be refused; the refusal is recorded like any other."""
        request = row.get("request")
        if is_object(request) and "surface" in request and request["surface"] in self._tools.surfaces:
            return self._call_tool(request["surface"], request["tool"], self._contents.restore(request["arguments"]))
        try:
            return runner.repeat_step(self._fork, self._contents, row)
        except ValueError:
            return DoneStep(str(row["operation"]), {}, None, is_ok=False)

    def _call_tool(self, surface: str, tool: str, arguments: Mapping[str, Any]) -> DoneStep:
        last = list[CallRecord]()
        self._fork.actor.recorders.append(last.append)
        try:
            answer = self._tools.call(self._fork.host, self._fork.principal(), surface, tool, arguments)
        finally:
            self._fork.actor.recorders.remove(last.append)
        made = [one for one in last if one.door == "mcp"]
        if not made:
            return DoneStep(tool, arguments, None, is_ok=False)
        return DoneStep(made[-1].operation, made[-1].arguments, made[-1].result, is_ok=not answer["is_error"])
