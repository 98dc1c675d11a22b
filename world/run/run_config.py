"""What decides a run, as its folder keeps it, and the header of its trajectory."""

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

import apsw
from pydantic import BaseModel, ConfigDict, ValidationError

from world.run.capabilities import describe_host
from world.run.episode import Episode
from world.run.trajectory import Header, Origin
from world.run.trajectory_reader import TrajectoryError

CONFIG = "config.json"


class RunConfig(BaseModel):
    """The inputs that decide a run; with the trajectory's calls it repeats to the byte."""

    model_config = ConfigDict(extra="forbid")
    scenario: str
    revision: str
    agent: str
    door: str
    seed: int
    image: str
    size: str
    settings: dict[str, Any] = field(default_factory=dict[str, Any])
    sqlite: str = ""
    tools: dict[str, str] = field(default_factory=dict[str, str])
    host: dict[str, str] = field(default_factory=dict[str, str])


def describe_run(
    run: Episode, name: str, agent: str, door: str, settings: Mapping[str, Any], tools: Mapping[str, str]
) -> RunConfig:
    """The inputs of a run; `name` is what its scenario was asked for by, a path or a name."""
    return RunConfig(
        scenario=str(run.scenario.path) if "/" in name else run.scenario.name,
        revision=run.scenario.revision,
        agent=agent,
        door=door,
        seed=run.seed,
        image=run.host.store.base.sha256,
        size=run.scenario.card.size,
        settings=dict(settings),
        sqlite=apsw.sqlite_lib_version(),
        tools=dict(tools),
        host=describe_host(run.scenario, run.host),
    )


def describe_header(run: Episode, config: RunConfig, origin: Origin | None = None) -> Header:
    """The first line of a run's trajectory."""
    return Header(
        scenario=config.scenario,
        revision=config.revision,
        seed=config.seed,
        agent=config.agent,
        person=run.agent,
        start=run.start,
        task=run.task,
        image=config.image,
        origin=origin,
    )


def write_config(folder: Path, config: RunConfig) -> None:
    """Write the inputs of a run into its folder."""
    (folder / CONFIG).write_text(config.model_dump_json(indent=1) + "\n", encoding="utf-8")


def read_config(folder: Path) -> RunConfig:
    """The config of a stored run. Raises FileNotFoundError, TrajectoryError."""
    try:
        return RunConfig.model_validate_json((folder / CONFIG).read_bytes())
    except ValidationError as error:
        wrong = f"{error.error_count()} wrong fields, the first {error.errors()[0]['loc'] or 'is no JSON'}"
        raise TrajectoryError(f"{folder / CONFIG} does not describe a run: {wrong}") from None
