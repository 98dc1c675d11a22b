"""A branch that the studio is asked for: go on from a step with changed calls, then let somebody act."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from world.agents import runner
from world.agents.branch import copy_contents, read_door
from world.agents.options import OURS
from world.agents.program import check
from world.agents.resumption import DoneStep
from world.core.errors import OperationError
from world.run.episode import Episode
from world.run.home import Home
from world.run.run_config import read_config
from world.run.run_folder import Contents
from world.run.trajectory import CONTENT_FOLDER, Origin
from world.run.trajectory_reader import read_steps
from world.studio.run_view import RunView
from world.studio.run_world import RunWorld

Change = Literal["none", "edit", "insert", "drop"]
REST = "rest of the run"  # stands for the steps of the run that follow the changed one
NOBODY = "nobody"


class BranchRequest(BaseModel):
    """What to change at a step, and who acts then: nobody, the rest of the run, or an agent of `firm run`.

    `edit` replaces the step's call, `insert` adds one after it, `drop` leaves it out, `none` goes on after it.
    `operation` and `arguments` are the new call; without an operation it is the step's own.
    """

    model_config = ConfigDict(extra="forbid")
    step: int = Field(ge=0)
    change: Change = "none"
    operation: str = ""
    arguments: dict[str, Any] = Field(default_factory=dict)
    then: str = NOBODY

    @property
    def shared(self) -> int:
        """How many steps of the run the branch shares with it."""
        return self.step - 1 if self.change in ("edit", "drop") else self.step


async def make_branch(home: Home, world: RunWorld, view: RunView, request: BranchRequest) -> runner.RunResult:
    """Make the branch, a run of its own, and grade it. Raises AgentError, LookupError, TrajectoryError."""
    agent = "null" if request.then in (NOBODY, REST) else request.then
    check(agent, OURS)
    seq = view.seq_after(request.shared) if request.shared else 0
    origin = Origin(run=view.name, step=request.shared, seq=seq, change=describe_change(request))
    config, before = read_config(view.folder), view.read_lines(request.shared)
    plan = runner.Plan(config.scenario, agent, read_door(config), config.settings, origin, before)
    folder = runner.make_folder(home, Path(config.scenario).name, agent, plan.door, config.seed)
    copy_contents(view.folder, folder)
    fork = world.fork(view, request.shared)
    try:
        return await runner.carry_out(
            home,
            fork,
            folder,
            plan,
            program=runner.ProgramSettings(),
            progress=lambda _: None,
            judge=world.plane.judge,
            opening=lambda: _open(fork, view, request),
            url=world.plane.host.public_url,
        )
    finally:
        world.drop(fork)


def describe_change(request: BranchRequest) -> str:
    """What a branch changed, in words; empty for one that only goes on."""
    changed = "" if request.change == "none" else f"{request.change} {request.operation} at step {request.step}".strip()
    return " ".join(f"{changed}, then {request.then}".removeprefix(", ").split())


def _open(fork: Episode, view: RunView, request: BranchRequest) -> Sequence[DoneStep]:
    """Do what the branch changes, and then the rest of the run if that is asked for."""
    contents = Contents(view.folder / CONTENT_FOLDER)
    rows = [line.row for line in read_steps(view.folder)]
    done = list[DoneStep]()
    if request.change in ("edit", "insert"):
        done.append(call_operation(fork, view.step(request.step) if request.step else {}, request))
    if request.then == REST:
        done += [repeat_leniently(fork, contents, row) for row in rows[request.step :]]
    return done


def call_operation(fork: Episode, row: dict[str, Any], request: BranchRequest) -> DoneStep:
    """Make the new call as the agent's employee, at the door of the step. Raises LookupError for an unknown one."""
    name = request.operation or str(row["operation"])
    operation = fork.host.operation(name)
    door = str(row.get("door", "mcp"))
    try:
        result = fork.host.call(fork.principal(operation.app), door, name, request.arguments)
    except OperationError:
        return DoneStep(name, request.arguments, None, is_ok=False)
    return DoneStep(name, request.arguments, result, is_ok=True)


def repeat_leniently(fork: Episode, contents: Contents, row: dict[str, Any]) -> DoneStep:
    """Repeat a step that may meanwhile be refused; the refusal is recorded like any other."""
    try:
        return runner.repeat_step(fork, contents, row)
    except ValueError:
        return DoneStep(str(row["operation"]), {}, None, is_ok=False)
