"""The REST door of the code host, and git's smart HTTP."""

from starlette.routing import BaseRoute

from apps.github.rest import door, files, git, graphql
from apps.github.rest.git_request_builder import pushes
from apps.github.rest.request_builder import wire
from apps.github.rest.responses import fault_response, missing_response
from world.run.host import Host
from world.web.rest_door import RestDoor

__all__ = ["fault_response", "pushes", "rest_door", "routes", "wire"]


def routes(host: Host) -> list[BaseRoute]:
    """Return every route of the two APIs and of git, relative to the app's mount."""
    return [graphql.route(host, graphql.ADDRESS), *door.routes(host), *files.routes(host), *git.routes(host)]


rest_door = RestDoor(routes, wire, fault_response, pushes=pushes, missing=missing_response)
