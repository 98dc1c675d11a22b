"""The tasks of a server as OpenEnv lists them: the scenarios and chores of a split, by name."""

from typing import Any

import orjson
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from typing_extensions import TypedDict

from world.core.params import Int64
from world.script import catalogue
from world.server.control_state import Body

ENVIRONMENT = "firmament"
SPLITS = {"train": "train", "dev": "validation", "test": "test"}  # ours to theirs


class TaskRow(TypedDict):
    """A task as `reset` takes it; other seeds of a scenario are other tasks of its family."""

    scenario: str
    seed: int


class Selection(Body):
    """Which tasks are asked for: all of a split, one, or those from `start` up to `stop`."""

    split: str
    index: Int64 | None = None
    start: Int64 | None = None
    stop: Int64 | None = None


def choose_family(seed: int) -> str:
    """The scenario or chore of the split `train` for a seed, in the order of their names."""
    names = list_families("train")
    return names[seed % len(names)]


def list_families(split: str) -> list[str]:
    """The scenarios and chores of a split, by name."""
    installed = {**catalogue.folders(), **catalogue.chores()}
    return sorted(name for name, path in installed.items() if catalogue.read_split(path) == split)


def task_routes() -> list[Route]:
    """The routes of the task API."""
    return [
        Route("/list_environments", _list_environments),
        Route("/{environment}/splits", _list_splits),
        *(
            Route(f"/{{environment}}/{name}", _answer, methods=["POST"], name=name)
            for name in ("tasks", "num_tasks", "task", "task_range")
        ),
    ]


async def _list_environments(_: Request) -> Response:
    return _json([ENVIRONMENT])


async def _list_splits(request: Request) -> Response:
    _check_environment(request)
    return _json([{"name": name, "type": kind} for name, kind in SPLITS.items()])


async def _answer(request: Request) -> Response:
    _check_environment(request)
    try:
        asked = Selection.model_validate_json(await request.body())
    except ValidationError as error:
        raise HTTPException(422, str(error)) from error
    if asked.split not in SPLITS:
        raise HTTPException(404, f"no split {asked.split!r}; there are {', '.join(SPLITS)}")
    rows = [TaskRow(scenario=name, seed=0) for name in list_families(asked.split)]
    match request.url.path.rpartition("/")[2]:
        case "num_tasks":
            return _json({"num_tasks": len(rows)})
        case "task":
            if asked.index is None or not 0 <= asked.index < len(rows):
                raise HTTPException(400, "Invalid task index")
            return _json({"task": rows[asked.index]})
        case "task_range":
            return _json({"tasks": rows[asked.start : asked.stop]})
        case _:
            return _json({"tasks": rows, "env_name": ENVIRONMENT})


def _check_environment(request: Request) -> None:
    if request.path_params["environment"].lower() != ENVIRONMENT:
        raise HTTPException(404, f"unknown environment {request.path_params['environment']!r}")


def _json(body: Any) -> Response:
    return Response(orjson.dumps(body), media_type="application/json")
