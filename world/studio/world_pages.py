"""Pages of served worlds for whoever operates them, and the forms that steer them."""

from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from world.core.clock import duration
from world.core.errors import InvalidArguments, OperationError
from world.core.operation import Operation
from world.run.actor import Actor
from world.server.control_state import Advance, Plane, advance_world, hasten_event
from world.studio.studio_state import Studio
from world.studio.world_view import (
    SPEEDS,
    find_actor,
    list_due,
    list_events,
    list_operations,
    list_people,
    view_world,
)
from world.web.fields import decode
from world.web.generic_form import fields_of
from world.web.response_headers import see_other

MAX_WORLDS = 500  # on a page


def get_plane(studio: Studio) -> Plane:
    """The plane whose worlds are served. Raises HTTPException 404 where none are."""
    if studio.worlds.plane is None:
        raise HTTPException(404, "this studio serves no worlds; `firm serve` prints the link of one that does")
    return studio.worlds.plane


async def show_worlds(studio: Studio, request: Request) -> Response:
    """Every world of this server. Those that nobody has opened since it started are only named."""
    plane = get_plane(studio)
    names = plane.worlds()
    opened = [name for name in names if name in plane.host.actors]
    found = [view_world(plane, name) for name in opened[:MAX_WORLDS]]
    asleep = [name for name in names if name not in plane.host.actors]
    return studio.render("worlds.html", {"worlds": found, "asleep": asleep[:MAX_WORLDS]})


async def show_world(studio: Studio, request: Request) -> Response:
    """One world: its clock, what is due, the journal, and the forms."""
    plane, name = get_plane(studio), request.path_params["world"]
    view, actor = view_world(plane, name), find_actor(plane, name)
    chosen = find_operation(plane, request.query_params.get("operation", ""))
    shown = {
        "world": view,
        "speeds": SPEEDS,
        "people": list_people(actor),
        "events": list_events(actor),
        "operations": list_operations(plane),
        "chosen": chosen,
        "fields": fields_of(chosen) if chosen is not None else [],
        "notice": request.query_params.get("done", ""),
        "run": find_run(studio, plane, name),
    }
    return studio.render("world.html", shown)


def find_run(studio: Studio, plane: Plane, name: str) -> str:
    """The name of the run that records a world; empty if none does."""
    folder = plane.trajectories.folders().get(name) if plane.trajectories is not None else None
    if folder is None:
        return ""
    path = folder.resolve()
    return path.relative_to(studio.runs.root).as_posix() if path.is_relative_to(studio.runs.root) else f"worlds/{name}"


def find_operation(plane: Plane, name: str) -> Operation | None:
    """A writing operation by its id; None for an empty name. Raises LookupError for any other."""
    if not name:
        return None
    found = next((one for one in list_operations(plane) if one.id == name), None)
    if found is None:
        raise LookupError(f"no app has a writing operation {name!r}")
    return found


async def show_now(studio: Studio, request: Request) -> Response:
    """The part of a world's page that changes by itself."""
    return studio.render("world_now.html", {"world": view_world(get_plane(studio), request.path_params["world"])})


async def steer(studio: Studio, request: Request) -> Response:
    """Move a world's clock: for a while, to what is due next, or by itself at a speed; or let an event happen now."""
    plane, name = get_plane(studio), request.path_params["world"]
    actor = find_actor(plane, name)
    form = await request.form()
    given = {key: value for key, value in form.items() if isinstance(value, str)}
    if "speed" in given:
        set_speed(plane, name, given["speed"])
    elif "event" in given:
        hasten_event(plane, name, given["event"])
    else:
        advance_world(plane, name, read_advance(actor, given.get("for", "")))
    return see_other(f"/worlds/{quote(name)}")


def read_advance(actor: Actor, text: str) -> Advance:
    """How far to advance: for a while such as `10m`, or to what is due next. Raises LookupError."""
    due = list_due(actor)
    if text == "next":
        return Advance(until=max(actor.now, due[0].at if due else 0))
    try:
        return Advance(until=actor.now + duration(text))
    except ValueError as error:
        raise LookupError(str(error)) from error


def set_speed(plane: Plane, world: str, text: str) -> None:
    """Let a world's time run by itself, or pause it. Raises LookupError for a speed that is not offered."""
    if text not in map(str, SPEEDS):
        raise LookupError(f"{text[:20]!r} is no speed")
    plane.speeds.pop(world, None)
    if int(text):
        plane.speeds[world] = int(text)


async def inject(studio: Studio, request: Request) -> Response:
    """Do an operation as a person, from outside the scenario. Raises LookupError for what is refused."""
    plane, name = get_plane(studio), request.path_params["world"]
    find_actor(plane, name)
    form = await request.form()
    chosen = find_operation(plane, str(form.get("_operation", "")))
    if chosen is None:
        raise LookupError("choose an operation")
    try:
        sent = await decode(form)
        required = {one.name.removesuffix(":json") for one in fields_of(chosen) if one.required}
        given = {key: value for key, value in sent.arguments.items() if value != "" or key in required}
        given = {key: value for key, value in given.items() if key not in sent.blank}
        plane.host.call(plane.host.principal(name, sent.control.get("_person", "")), "control", chosen.id, given)
    except InvalidArguments as error:
        raise LookupError(f"{chosen.id}: {'; '.join(' '.join(one) for one in error.problems)}") from error
    except OperationError as error:
        raise LookupError(f"{chosen.id} was refused: {error.code}") from error
    return see_other(f"/worlds/{quote(name)}?done={quote(chosen.id)}")
