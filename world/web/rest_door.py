"""REST door of an app: one declared object, which every user of the door asks."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from world.core import discovery
from world.core.errors import OperationError, Outage
from world.core.request_builder import Push, Wire
from world.run.actor import Actor
from world.run.host import Host


@dataclass(frozen=True, slots=True)
class FieldSelection:
    """A partial response: the arguments that its fields imply, and the function that keeps them of a result."""

    arguments: Mapping[str, Any]
    keep: Callable[[Any], Any]


FieldSelector = Callable[[Mapping[str, Any], str], FieldSelection]  # arguments, text of `fields`; raises ValueError
Receivers = frozenset[str]  # HOST:PORT of programs on this machine that may be sent something
EventDelivery = Callable[[Host, Actor, Receivers], Coroutine[Any, Any, None]]


@dataclass(frozen=True, slots=True)
class RestDoor:
    """An app's wire shape, declared as `rest_door` by its module `rest`.

    `routes` are relative to the app's mount; `wire` is the request that asks for an operation; `fault_response` is the
    vendor's answer of a failing service. `refusal` gives the status and body of a refusal, where these depend on the
    code alone; `pushes` says what git push carries out an operation, for an app that speaks git. `missing` is the
    vendor's answer, by status, to a request that is for nothing it has: 404, 405, 500 for what broke, or 503
    of a world that is quarantined. `deliver` sends what a world has for programs outside (`App.outgoing`) until the world
    is gone or has nothing to send. `find_selector` finds how `fields` narrows the answer of an operation, where the
    vendor has partial responses.
    """

    routes: Callable[[Host], Sequence[BaseRoute]]
    wire: Callable[[str, Mapping[str, Any]], Wire]
    fault_response: Callable[[Outage], Response]
    refusal: Callable[[OperationError], tuple[int, Any]] | None = None
    pushes: Callable[[str, Mapping[str, Any]], Push | None] | None = None
    missing: Callable[[Request, int], Response] | None = None
    deliver: EventDelivery | None = None
    find_selector: Callable[[str], FieldSelector | None] | None = None


@cache
def find_rest_door(app: str) -> RestDoor | None:
    """The REST door of an installed app, or None if it has none. Raises TypeError for one that is not declared."""
    package = next((one for one in discovery.app_packages() if one.app.name == app), None)
    module = discovery.part(package, "rest") if package is not None else None
    if module is None:
        return None
    found = vars(module).get("rest_door")
    if not isinstance(found, RestDoor):
        raise TypeError(f"{module.__name__} must declare `rest_door = RestDoor(...)`")
    return found
