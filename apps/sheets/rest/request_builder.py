"""Builder of the request that calls an operation; the drive's operations are served at this address too."""

from apps.google import request_builder
from apps.sheets.rest.api import APIS
from world.core.params import Arguments
from world.core.request_builder import Wire


def wire(operation: str, arguments: Arguments) -> Wire:
    """Method, path, query and body of an operation's arguments."""
    return request_builder.wire(APIS, operation, arguments)
