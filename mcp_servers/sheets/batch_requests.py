"""Requests of a batch for the workspace server's tools, and what all of them read of the arguments."""

import re
from typing import Any

from mcp_servers.sheets import argument_schemas
from mcp_servers.sheets.argument_schemas import wrong
from mcp_servers.tools import CallArguments, Given
from world.core.errors import InvalidArguments

Request = dict[str, Any]
_COLOR = re.compile(r"#?([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})")
BLACK = {"red": 0.0, "green": 0.0, "blue": 0.0}


def find_color(given: Given, name: str) -> Request | None:
    """A colour among the arguments, None unless given. Raises InvalidArguments."""
    value = given.get(name)
    return None if value is None else parse_color(value, name)


def parse_color(value: object, name: str) -> dict[str, float]:
    """A colour written #RRGGBB. Raises InvalidArguments."""
    found = _COLOR.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise wrong(name, "must be a colour like #FF8800")
    parts = zip(("red", "green", "blue"), (int(part, 16) / 255 for part in found.groups()), strict=True)
    return {name: part for name, part in parts if part} or dict(BLACK)


def batch(arguments: CallArguments, requests: list[Request]) -> CallArguments:
    """The requests. Raises InvalidArguments when there are none."""
    if not requests:
        raise InvalidArguments([("arguments", "Nothing is to be changed: give at least one of the optional arguments")])
    return {**arguments, "requests": requests}


def index_of(given: Given, name: str, key: str) -> dict[str, int]:
    """A place among others, under the key of the request; nothing unless given."""
    found = argument_schemas.whole(given, name)
    return {} if found is None else {key: found}
