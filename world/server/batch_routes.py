"""The control plane's routes about many rollouts at once, and about single steps of one."""

from typing import Any

import orjson
from fastapi import FastAPI, HTTPException, Response

from world.server.batches import (
    Group,
    StepReward,
    Steps,
    Verdicts,
    do_steps,
    fork_group,
    grade_worlds,
    list_rewards,
)
from world.server.control_state import Plane
from world.server.known_world import KnownWorld


def add_batch_routes(app: FastAPI, plane: Plane) -> None:
    """Add the routes."""

    @app.post("/steps")
    async def steps(body: Steps) -> Response:
        """Tool calls of the agents of many worlds, in order; an item that cannot be done is answered with why."""
        return Response(orjson.dumps(await do_steps(plane, body)), media_type="application/json")

    @app.post("/grades")
    async def grades(body: Verdicts) -> Response:
        """The verdicts of many worlds, in order."""
        return Response(orjson.dumps(await grade_worlds(plane, body)), media_type="application/json")

    @app.post("/worlds/{world}/group", status_code=201)
    async def group(world: KnownWorld, body: Group) -> list[dict[str, Any]]:
        """Several forks of one state, each with a token of its agent."""
        if world not in plane.episodes:
            raise HTTPException(409, "this world was made without a scenario; it has no agent")
        return fork_group(plane, world, body)

    @app.get("/worlds/{world}/rewards")
    async def rewards(world: KnownWorld, since: int = 0) -> list[StepReward]:
        """What each call of the agent or of their team after call `since` was worth, to all and to each member."""
        if world not in plane.episodes:
            raise HTTPException(409, "this world was made without a scenario; there is nothing to grade")
        return await list_rewards(plane, world, since)
