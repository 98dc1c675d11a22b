"""The request that asks for an operation; those of the drive are asked for at this address too."""

from collections.abc import Mapping
from typing import Any

from apps.google import request_builder
from apps.sheets.rest.api import APIS
from world.core.request_builder import Wire


def wire(operation: str, arguments: Mapping[str, Any]) -> Wire:
    """Method, path, query and body of an operation's arguments."""
    return request_builder.wire(APIS, operation, arguments)
