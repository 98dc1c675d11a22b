"""A run that goes on from a step of another one: the shared steps are repeated, then an agent acts."""

import shutil
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from world.agents.options import OURS, DoorName
from world.agents.program import check
from world.agents.runner import (
    Plan,
    ProgramSettings,
    Progress,
    RunConfig,
    RunResult,
    carry_out,
    make_folder,
    read_config,
    reopen_host,
    repeat_steps,
    restart,
)
from world.grading.judge import Judge
from world.run.failures import tell_mistakes
from world.run.home import Home
from world.run.run_evidence import RunRecord, read_past
from world.run.trajectory import CONTENT_FOLDER, Origin
from world.run.trajectory_reader import TrajectoryError, read_step_lines, read_steps

UNFINISHED = RunRecord((), (), {}, None)


@dataclass(frozen=True, slots=True)
class BranchPoint:
    """A step of a stored run; 0 is the moment before the first."""

    folder: Path
    step: int


def parse_branch_point(home: Home, text: str) -> BranchPoint:
    """Read RUN@STEP; RUN is a folder, or a name in the home's runs. Raises TrajectoryError."""
    name, at, step = text.rpartition("@")
    if not at or not step.isdecimal():
        raise TrajectoryError(f"{text!r} is not RUN@STEP, such as bad_deploy-oracle-mcp-0-001@12")
    return BranchPoint(find_run(home, name), int(step))


def find_run(home: Home, name: str) -> Path:
    """The folder of a run by its path, its name in the home's runs, or `worlds/NAME` of a served world.

    Raises TrajectoryError.
    """
    served = home.path / "trajectories" / name.removeprefix("worlds/")
    for folder in (Path(name), home.runs / name, *([served] if name.startswith("worlds/") else [])):
        if (folder / "config.json").is_file():
            return folder
    raise TrajectoryError(f"{name!r} is no run: neither a run folder nor a name in {home.runs}")


def read_record(folder: Path) -> RunRecord:
    """The record of a stored run; an empty one for a run that never ended."""
    path = folder / "journal.jsonl"
    return read_past(path) if path.exists() else UNFINISHED


def find_origin(point: BranchPoint) -> Origin:
    """Where a branch at this point begins. Raises TrajectoryError for a step that the run does not have."""
    if point.step == 0:
        return Origin(run=point.folder.resolve().name, step=0, seq=0)
    found = next((line.row for line in read_steps(point.folder) if line.row["step"] == point.step), None)
    if found is None:
        raise TrajectoryError(f"{point.folder} has no step {point.step}")
    return Origin(run=point.folder.resolve().name, step=point.step, seq=found["seq"])


async def continue_run(
    home: Home,
    point: BranchPoint,
    *,
    agent: str,
    door: DoorName | None = None,
    progress: Progress = lambda _: None,
    judge: Judge | None = None,
    program: ProgramSettings,
) -> RunResult:
    """Let an agent go on from a step of a stored run, in a run of its own, and grade that.

    `door` is the stored run's unless given. Raises AgentError, ScenarioError, TrajectoryError; ValueError where the
    stored steps cannot be repeated.
    """
    check(agent, OURS)
    config, origin = read_config(point.folder), find_origin(point)
    before = read_step_lines(point.folder, point.step)
    plan = Plan(config.scenario, agent, door or read_door(config), config.settings, origin, before)
    folder = make_folder(home, Path(config.scenario).name, agent, plan.door, config.seed)
    copy_contents(point.folder, folder)
    host = reopen_host(home, config, read_record(point.folder), folder)
    try:
        run = restart(host, config)
        shared = (line.row for line in islice(read_steps(point.folder), point.step))
        done = repeat_steps(run, point.folder, shared)
        tell_mistakes(run.actor)
        return await carry_out(
            home, run, folder, plan, program=program, progress=progress, judge=judge, opening=lambda: done
        )
    finally:
        host.store.close()


def read_door(config: RunConfig) -> DoorName:
    """The door that a stored run was made at."""
    found: dict[str, DoorName] = {"rest": "rest", "mcp": "mcp", "ui": "ui"}
    return found.get(config.door, "mcp")


def copy_contents(source: Path, target: Path) -> None:
    """Give a branch the long texts that the steps it shares refer to."""
    if (source / CONTENT_FOLDER).is_dir():
        shutil.copytree(source / CONTENT_FOLDER, target / CONTENT_FOLDER)
