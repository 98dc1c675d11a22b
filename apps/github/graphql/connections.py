"""Connections: one page of a list, with cursors that stay valid when rows are added or removed."""

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import orjson
from pydantic import JsonValue

from apps.github.graphql.values import Args
from world.core.json_types import JsonObject
from world.core.params import INT64_MAX

Row = TypeVar("Row")
CURSOR = b"cursor:v2:"
MOST = 100


def cursor_of(key: object) -> str:
    """Return the opaque cursor of a row's key."""
    return base64.b64encode(CURSOR + orjson.dumps(key)).decode()


def key_of(cursor: str) -> JsonValue:
    """Return the key in a cursor. Raises ValueError."""
    try:
        raw = base64.b64decode(cursor, validate=True)
    except ValueError:  # text that is not ASCII too
        raw = b""
    if not raw.startswith(CURSOR):
        raise ValueError(f"`{cursor}` does not appear to be a valid cursor.")
    try:
        return orjson.loads(raw.removeprefix(CURSOR))
    except orjson.JSONDecodeError:
        raise ValueError(f"`{cursor}` does not appear to be a valid cursor.") from None


class Page(Generic[Row]):
    """One page of a connection. `total` may be a function; `more` are further fields, `facts` those of each edge."""

    __slots__ = ("_keys", "_total", "facts", "more", "nodes", "onwards")

    def __init__(
        self,
        nodes: Sequence[Row],
        *,
        total: int | Callable[[], int] | None = None,
        keys: Sequence[object] | Callable[[], Sequence[object]] | None = None,
        onwards: tuple[bool, bool] = (False, False),
        facts: Sequence[Mapping[str, object]] = (),
        more: Mapping[str, object] | None = None,
    ) -> None:
        self.nodes, self._total, self.facts, self.more, self.onwards = nodes, total, facts, more or {}, onwards
        self._keys = keys if keys is not None else range(1, len(nodes) + 1)

    @property
    def keys(self) -> Sequence[object]:
        """Keys of the rows' cursors."""
        if callable(self._keys):
            self._keys = self._keys()
        return self._keys

    @property
    def total(self) -> int:
        """Number of rows on all pages."""
        if callable(self._total):
            self._total = self._total()
        return len(self.nodes) if self._total is None else self._total

    def field(self, name: str) -> object:
        """Return a field of the connection."""
        if name == "nodes":
            return self.nodes
        if name == "totalCount":
            return self.total
        if name == "edges":
            facts = self.facts or [{}] * len(self.nodes)
            return [
                {"node": node, "cursor": cursor_of(key), **fact}
                for node, key, fact in zip(self.nodes, self.keys, facts, strict=True)
            ]
        if name == "pageInfo":
            return self._info()
        found = self.more.get(name, 0)
        return found() if callable(found) else found

    def _info(self) -> JsonObject:
        before, after = self.onwards
        keys = self.keys
        first, last = (cursor_of(keys[0]), cursor_of(keys[-1])) if len(keys) else (None, None)
        return {"hasPreviousPage": before, "hasNextPage": after, "startCursor": first, "endCursor": last}


def page_of_rows(
    rows: Sequence[Row],
    args: Args,
    key: Callable[[Row], object],
    *,
    descending: bool = False,
    ordered: bool = True,
    fact: Callable[[Row], Mapping[str, object]] | None = None,
    **more: object,
) -> Page[Row]:
    """Return the page of a whole list sorted by `key`; unless `ordered` by it, search the list for the cursor's row."""
    size = args.get("first")
    if (
        size is not None
        and len(rows) <= size
        and fact is None
        and not (args.get("after") or args.get("before") or args.get("last"))
    ):
        return Page(rows, keys=lambda: [key(row) for row in rows], more=more)
    keys = [key(row) for row in rows]
    start, stop = 0, len(rows)
    if args.get("after"):
        start = _after(keys, key_of(args["after"]), descending, ordered)
    if args.get("before"):
        stop = _before(keys, key_of(args["before"]), descending, ordered)
    if args.get("first") is not None:
        stop = min(stop, start + args["first"])
    if args.get("last") is not None:
        start = max(start, stop - args["last"])
    stop = max(start, stop)
    shown = list(rows[start:stop])
    facts = [fact(row) for row in shown] if fact is not None else ()
    return Page(
        shown, total=len(rows), keys=keys[start:stop], onwards=(start > 0, stop < len(rows)), facts=facts, more=more
    )


def _after(keys: Sequence[object], mark: JsonValue, descending: bool, ordered: bool) -> int:
    if not ordered:
        return keys.index(mark) + 1 if mark in keys else len(keys)
    return sum(1 for key in keys if _comes(key, mark, descending) <= 0)


def _before(keys: Sequence[object], mark: JsonValue, descending: bool, ordered: bool) -> int:
    if not ordered:
        return keys.index(mark) if mark in keys else 0
    return sum(1 for key in keys if _comes(key, mark, descending) < 0)


def _comes(key: object, mark: Any, descending: bool) -> int:
    """Return -1 for a key before the mark, 0 at it, 1 after. Raises ValueError for a cursor of another list."""
    one = list(key) if isinstance(key, tuple | list) else key
    if type(one) is not type(mark) or (isinstance(one, list) and len(one) != len(mark)):
        raise ValueError("The cursor is of another connection.")
    try:
        order = (one > mark) - (one < mark)
    except TypeError:
        raise ValueError("The cursor is of another connection.") from None
    return -order if descending else order


# -- pages of tables, read no further than they go


class RowCursor(NamedTuple):
    """Position of a row in the sort order; `down`: the order is descending."""

    value: int | str
    id: int
    down: bool


class PageQuery(NamedTuple):
    """Query of one page: its size plus one row, order, bounds, and whether to count all rows."""

    size: int
    down: bool
    marks: list[RowCursor]
    counted: bool


Read = Callable[[PageQuery], tuple[Sequence[Any], int | None]]


def read_page(
    args: Args,
    descending: bool,
    asks: Iterable[str],
    name: str,
    read: Read,
    total: Callable[[], int],
    more: Mapping[str, object],
) -> Page:
    """Read a page of rows, sorted by a named value and then by id."""
    if not set(asks) & {"nodes", "edges", "pageInfo"}:
        return Page([], total=total, more=more)
    backwards = args.get("first") is None and args.get("last") is not None
    marks = [
        _mark(key_of(args[side]), descending != (side == "before")) for side in ("after", "before") if args.get(side)
    ]
    size = args["last"] if backwards else args["first"]
    rows, known = read(PageQuery(size, descending != backwards, marks, "totalCount" in asks and not marks))
    there, rows = len(rows) > size, rows[:size]
    onwards = (there, bool(args.get("before"))) if backwards else (bool(args.get("after")), there)
    shown = rows[::-1] if backwards else rows
    counted = total if known is None else known
    return Page(
        shown, total=counted, keys=lambda: [[getattr(row, name), row.id] for row in shown], onwards=onwards, more=more
    )


def _mark(key: JsonValue, down: bool) -> RowCursor:
    """Parse the position in a cursor. Raises ValueError for a cursor of another list."""
    value, id = key if isinstance(key, list) and len(key) == 2 else (None, None)
    if (
        not isinstance(id, int)
        or not isinstance(value, int | str)
        or any(isinstance(one, int) and abs(one) > INT64_MAX for one in (value, id))
    ):
        raise ValueError("The cursor is of another connection.")
    return RowCursor(value, id, down)
