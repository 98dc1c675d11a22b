"""The world that a route of the control plane is about."""

from typing import Annotated

from fastapi import Depends, HTTPException, Request

from world.server.control_state import Plane


async def get_existing_world(request: Request, world: str) -> str:
    """The name of a world that exists; 404 otherwise."""
    plane: Plane = request.app.state.plane
    if not plane.knows(world):
        raise HTTPException(404, f"no world {world!r}")
    plane.retention.note_use(world)
    return world


KnownWorld = Annotated[str, Depends(get_existing_world)]
