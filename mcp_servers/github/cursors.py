"""Opaque cursors of lists that an operation gives whole: they keep their place when items come and go."""

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from typing import NotRequired, TypedDict, TypeVar

from mcp_servers.github.arguments import parse_integer
from world.core.errors import InvalidArguments

Item = TypeVar("Item")
PREFIX = b"cursor:v2:"
MOST, USUAL = 100, 30


class PageInfo(TypedDict):
    """Paging fields of a page: whether other pages exist before and after it, and the cursors of its ends."""

    hasNextPage: bool
    hasPreviousPage: bool
    startCursor: NotRequired[str | None]
    endCursor: NotRequired[str | None]


def cursor_of(key: int) -> str:
    """The cursor of an item."""
    return base64.b64encode(PREFIX + str(key).encode()).decode()


def key_of(cursor: object) -> int:
    """The key in a cursor. Raises InvalidArguments."""
    try:
        raw = base64.b64decode(cursor, validate=True) if isinstance(cursor, str) else b""
        if raw.startswith(PREFIX):
            return parse_integer(raw.removeprefix(PREFIX).decode("ascii"))
    except (binascii.Error, ValueError):
        pass
    raise InvalidArguments([("after", "must be a cursor of an earlier answer")])


def check_cursor(given: Mapping[str, object]) -> None:
    """Refuse a cursor that is none. Raises InvalidArguments."""
    if given.get("after"):
        key_of(given["after"])


def page(items: Sequence[Item], given: Mapping[str, object], key: Callable[[Item], int]) -> tuple[list[Item], PageInfo]:
    """Return the items that `after` and `perPage` ask for, and the paging fields.

    `items` is in the order of its keys.
    """
    size = given.get("perPage")
    most = min(size, MOST) if isinstance(size, int) and size > 0 else USUAL
    start = sum(1 for item in items if key(item) <= key_of(given["after"])) if given.get("after") else 0
    shown = list(items[start : start + most])
    return shown, about(start > 0, start + most < len(items), *(cursor_of(key(end)) for end in shown[:1] + shown[-1:]))


def about(before: bool, after: bool, start: str | None = None, end: str | None = None) -> PageInfo:
    """Build the paging fields of a page; an empty page has no cursors."""
    shown: PageInfo = {"hasNextPage": after, "hasPreviousPage": before}
    return {**shown, "startCursor": start, "endCursor": end} if start else shown
