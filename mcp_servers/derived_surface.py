"""The surface every app has without declaring one: operation ids in snake case, first docstring lines, own arguments."""

from collections.abc import Collection

from mcp_servers.tools import MAX_DESCRIPTION, Surface
from world.core.app import App

NAME = "operations"


def derive_surface(app: App, only: Collection[str] | None = None) -> Surface:
    """All operations of an app as tools, in the order declared; with `only`, those of these ids.

    Raises LookupError for an id that the app does not declare.
    """
    if unknown := sorted(set(only or ()) - set(app.operations)):
        raise LookupError(f"{app.name} has no operation {unknown[0]}")
    surface = Surface(NAME, app=app.name)
    for operation in app.operations.values():
        if only is not None and operation.id not in only:
            continue
        surface.tool(operation.snake, operation.id, description=operation.summary[:MAX_DESCRIPTION])
    return surface
