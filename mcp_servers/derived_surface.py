"""The surface every app has without declaring one: operation ids in snake case, first docstring lines, own arguments."""

from mcp_servers.tools import MAX_DESCRIPTION, Surface
from world.core.app import App

NAME = "operations"


def derive_surface(app: App) -> Surface:
    """All operations of an app as tools, in the order declared."""
    surface = Surface(NAME, app=app.name)
    for operation in app.operations.values():
        surface.tool(operation.snake, operation.id, description=operation.summary[:MAX_DESCRIPTION])
    return surface
