"""Pages by offset, in the two envelopes the API uses."""

from collections.abc import Callable, Sequence
from typing import TypeVar
from urllib.parse import urlencode

from world.core.call import Call
from world.core.json_types import JsonObject

T = TypeVar("T")


def page_to_json(
    call: Call, path: str, rows: Sequence[T], start: int, limit: int, show: Callable[[T], object], **query: str
) -> JsonObject:
    """A platform page: self, nextPage, maxResults, startAt, total, isLast, values."""
    own = f"{call.base_url}{path}?"
    out: JsonObject = {"self": own + urlencode({"maxResults": limit, "startAt": start, **query})}
    last = start + limit >= len(rows)
    if not last:
        out["nextPage"] = own + urlencode({"maxResults": limit, "startAt": start + limit, **query})
    shown = [show(row) for row in rows[start : start + limit]]
    return out | {"maxResults": limit, "startAt": start, "total": len(rows), "isLast": last, "values": shown}


def agile_page_to_json(rows: Sequence[T], start: int, limit: int, show: Callable[[T], object]) -> JsonObject:
    """An agile page: maxResults, startAt, total, isLast, values."""
    shown = [show(row) for row in rows[start : start + limit]]
    return {
        "maxResults": limit,
        "startAt": start,
        "total": len(rows),
        "isLast": start + limit >= len(rows),
        "values": shown,
    }
