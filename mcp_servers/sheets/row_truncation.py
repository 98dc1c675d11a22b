"""Long answers cut between rows, with the range that goes on."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from apps.sheets import a1
from mcp_servers.json_text import as_json
from mcp_servers.sheets import range_resolution
from world.core.json_types import JsonMapping

ROOM = 95_000  # bytes, below what the door itself cuts at
Going = Callable[[int], str]


@dataclass(slots=True)
class Rows:
    """A list of rows inside an answer, and the range of what follows its first rows."""

    rows: list[Any]
    going: Going


def of_values(found: Any) -> Iterator[Rows]:
    """The rows of ValueRanges."""
    if (
        isinstance(found.get("values"), list)
        and isinstance(found.get("range"), str)
        and found.get("majorDimension", "ROWS") == "ROWS"
    ):
        range = found["range"]
        yield Rows(found["values"], lambda kept: range_resolution.after(range, kept))


def of_book(found: JsonMapping) -> Iterator[Rows]:
    """Yield the rows of a spreadsheet's cells, and the rows of their metadata."""
    for sheet in found.get("sheets") or ():
        title = sheet.get("properties", {}).get("title", "")
        for grid in sheet.get("data") or ():
            first = grid.get("startRow", 0)
            for name in ("rowData", "rowMetadata"):
                if grid.get(name):
                    yield Rows(grid[name], _format_rest_range(title, first))


def _format_rest_range(title: str, first: int) -> Going:
    return lambda kept: f"{a1.quote_sheet_name(title)}!{first + kept + 1}:{first + kept + 1000}"


def render_truncated(value: object, lists: list[Rows], room: int = ROOM) -> list[str]:
    """Render a value as JSON, its longest lists of rows cut until it fits, and say what was left out."""
    text = as_json(value)
    if len(text.encode()) <= room:
        return [text]
    notes: list[str] = []
    while len(text.encode()) > room and any(one.rows for one in lists):
        longest = max(lists, key=lambda one: _size(one.rows))
        notes.append(_truncate_rows(longest, room - (len(text.encode()) - _size(longest.rows))))
        lists = [one for one in lists if one is not longest]
        text = as_json(value)
    return [text, "\n".join(notes)]


def _truncate_rows(one: Rows, room: int) -> str:
    total, kept, size = len(one.rows), 0, 2
    for row in one.rows:
        size += _size(row) + 1
        if size > room:
            break
        kept += 1
    del one.rows[kept:]
    return f"[{total - kept} of {total} rows were left out; go on with the range {one.going(kept)}]"


def _size(value: object) -> int:
    return len(orjson.dumps(value))


def lines(found: list[str], going: Going, room: int = ROOM) -> list[str]:
    """Lines of text, one for each row, cut likewise."""
    size = 0
    for kept, line in enumerate(found):
        size += len(line.encode()) + 1
        if size > room:
            return [
                *found[:kept],
                f"[{len(found) - kept} of {len(found)} rows were left out; go on with the range {going(kept)}]",
            ]
    return found
