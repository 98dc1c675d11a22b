"""Cursors: opaque, bound to their list, and stable while rows are added or deleted."""

import base64
import binascii
from typing import TypedDict

from world.core.call import Call
from world.core.errors import OperationError
from world.core.rng import digest


class Metadata(TypedDict):
    """Part of a response that holds the next cursor."""

    next_cursor: str


def write_cursor(call: Call, kind: str, value: str) -> str:
    """A cursor that continues after `value`."""
    text = f"{kind}:{value}:{_cursor_mark(call, kind, value)}"
    return base64.b64encode(text.encode()).decode()


def read_cursor(call: Call, kind: str, cursor: str) -> str | None:
    """Return the value a cursor continues after; None without a cursor. Raises invalid_cursor."""
    if not cursor:
        return None
    try:
        found, value, mark = base64.b64decode(cursor, validate=True).decode().rsplit(":", 2)
    except (ValueError, binascii.Error):
        raise OperationError("invalid_cursor") from None
    if found != kind or mark != _cursor_mark(call, kind, value):
        raise OperationError("invalid_cursor")
    return value


def _cursor_mark(call: Call, kind: str, value: str) -> str:
    return digest("slack cursor", call.rng.seed, kind, value, size=4).hex()


def page_size(asked: int, default: int, top: int) -> int:
    """Return the page size that the service uses for a requested one. Raises invalid_limit."""
    if asked < 0:
        raise OperationError("invalid_limit")
    return min(asked or default, top)
