"""Undo in the page: each gesture of a person is kept as a part of the world's record, and taken back except where somebody changed it since."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import orjson
from sqlmodel import SQLModel

from apps.sheets.book import BLANK, Book, Tab
from apps.sheets.cells import Area
from apps.sheets.operations import protection
from apps.sheets.structure import COLUMNS, FORMULAS, ROWS, bounds
from world.call import Call
from world.journal import Change, changes_after, last_change
from world.operation import OperationError

TABLES = ("sheets_cell", "sheets_dimension", "sheets_object", "sheets_sheet")
PLACES = {*ROWS, *COLUMNS, *FORMULAS, "columnIndex", "dimensionIndex", "rowIndex", "criteria"}
MOST, MOST_SINGLE = 100, 5_000  # gestures kept, cells that are put one by one
_LAID = (
    "SELECT kind, key, top, left, bottom, right, spec FROM sheets_object WHERE sheet_id = :sheet"
    " AND kind NOT IN ('named_range', 'filter_view', 'metadata') ORDER BY id"
)
_LAST = "SELECT id, patch FROM sheets_undo WHERE file_id = :file AND person_id = :me AND undone = :undone ORDER BY id {} LIMIT 1"
_ADD = "INSERT INTO sheets_undo(id, file_id, person_id, undone, patch) VALUES (:id, :file, :me, 0, :patch)"
_OLD = (
    "DELETE FROM sheets_undo WHERE file_id = :file AND person_id = :me AND (undone OR id NOT IN"
    " (SELECT id FROM sheets_undo WHERE file_id = :file AND person_id = :me ORDER BY id DESC LIMIT :most))"
)
Row = dict[str, Any]
Changed = dict[tuple[str, tuple[Any, ...]], tuple[Row | None, Row | None]]


class Touched(NamedTuple):
    """What a step changed: cells by sheet, as the tables number them, and whether anything else."""

    cells: dict[int, set[tuple[int, int]]]
    shape: bool


@contextmanager
def gesture(call: Call, key: str) -> Iterator[Book]:
    """A spreadsheet opened for one change that can be undone. Raises not_found, forbidden."""
    with Book(call, key, "file.write") as book:
        first = last_change(call.bound)
        yield book
        call.flush()
        last = last_change(call.bound)
        if last > first:
            _keep(book, first, last)


def _mine(book: Book) -> Row:
    return {"file": book.file.id, "me": book.call.person}


def _keep(book: Book, first: int, last: int) -> None:
    """Put a gesture on the list; what had been undone can't be done again after it."""
    book.call.execute(_OLD, {**_mine(book), "most": MOST})
    number = (book.call.scalar("SELECT max(id) FROM sheets_undo") or 0) + 1
    book.call.execute(_ADD, {**_mine(book), "id": number, "patch": f"{first} {last}"})


def state(book: Book) -> dict[str, bool]:
    """Whether there is anything to undo, and to redo."""
    rows = book.call.all("SELECT DISTINCT undone FROM sheets_undo WHERE file_id = :file AND person_id = :me", _mine(book))
    kinds = {bool(row[0]) for row in rows}
    return {"undo": False in kinds, "redo": True in kinds}


def step(book: Book, *, back: bool) -> Touched:
    """Take the caller's last gesture back, or do it again. Raises nothing_to_undo, protected."""
    found = book.call.first(_LAST.format("DESC" if back else "ASC"), {**_mine(book), "undone": not back})
    if found is None:
        raise OperationError("nothing_to_undo")
    first, last = map(int, found[1].split())
    changed = net([one for one in changes_after(book.call.bound, first) if one.id <= last and one.table in TABLES])
    touched, kept = touches(changed), _closed(book)
    if not touched.shape:
        for tab in book.tabs:
            protection.check(book, tab, placed(tab, touched))
        _ = book.engine  # warm before the rows change, so that only the touched cells are computed again
    for (table, key), (before, after) in changed.items():
        _put(book.call, table, key, *((after, before) if back else (before, after)))
    book.call.execute("UPDATE sheets_undo SET undone = :undone WHERE id = :id", {"undone": back, "id": found[0]})
    _settle(book, touched)
    if touched.shape and kept.items() - _closed(book).items():
        raise OperationError("protected")
    return touched


def _closed(book: Book) -> dict[tuple[int, int], frozenset[tuple[Any, ...]]]:
    """What the caller may not change: each area's cells and what lies on them, from its corner; of a protected sheet its looks and lines too."""
    return {
        (tab.id, number): frozenset((*_held(book, tab, area), *_laid(book, tab, area), *(_looks(book, tab) if area == protection.WHOLE else ())))
        for tab in book.tabs for number, (area, _) in enumerate(protection.closed(book, tab))
    }  # fmt: skip


def _held(book: Book, tab: Tab, area: Area) -> Iterator[tuple[Any, ...]]:
    """The cells of an area. Formulas only as such: they follow lines that come and go."""
    for (row, column), one in book.cells(tab, area.within(tab.rows, tab.columns)).items():
        text = "" if one.entry.kind == "formula" else one.entry.input
        yield row - area.top, column - area.left, one.entry.kind, text, *one[1:]


def _laid(book: Book, tab: Tab, area: Area) -> Iterator[tuple[Any, ...]]:
    """Merges, bands, rules, tables and filters that have cells of an area; on a protected sheet charts, groups and all else too."""
    whole, is_sheet = area.within(tab.rows, tab.columns), area == protection.WHOLE
    for kind, key, *sides, text in book.call.all(_LAID, {"sheet": tab.id}):
        spec = orjson.loads(text)
        lies = [bounds(one) for one in spec.get("ranges", [])] or [Area(sides[0] or 0, sides[1] or 0, sides[2], sides[3])]
        is_there = (sides[0] is not None or "ranges" in spec) and kind != "group"
        if is_sheet or (is_there and any(one.within(tab.rows, tab.columns).meets(whole) for one in lies)):
            ends = (None if side is None else side - start for side, start in zip(sides, (area.top, area.left) * 2, strict=True))
            yield kind, key, *ends, orjson.dumps(_placeless(spec))


def _placeless(spec: Any) -> Any:
    """A description without rows, columns and formulas, which follow lines that come and go."""
    if isinstance(spec, list):
        return [_placeless(one) for one in spec]
    return {name: _placeless(one) for name, one in spec.items() if name not in PLACES} if isinstance(spec, dict) else spec


def _looks(book: Book, tab: Tab) -> Iterator[tuple[Any, ...]]:
    """What a protected sheet is called and how it and its lines look."""
    yield tab.title, tab.hidden, tab.rows, tab.columns, tab.frozen_rows, tab.frozen_columns, orjson.dumps(tab.properties)
    yield from map(tuple, book.call.all("SELECT axis, at, size, hidden FROM sheets_dimension WHERE sheet_id = :sheet", {"sheet": tab.id}))


def net(changes: list[Change]) -> Changed:
    """Each row before and after several changes."""
    out: Changed = {}
    for one in changes:
        key = (one.table, one.pk)
        out[key] = (out[key][0] if key in out else one.before, one.after)
    return {key: rows for key, rows in out.items() if rows[0] != rows[1]}


def _put(call: Call, table: str, key: tuple[Any, ...], was: Row | None, wanted: Row | None) -> None:
    """Set a row, unless it is no longer what it was."""
    columns = SQLModel.metadata.tables[table].columns
    keys = [column.name for column in columns if column.primary_key]
    where = " AND ".join(f"{name} = ?" for name in keys)
    raw, names = call.bound.raw, [column.name for column in columns]
    found = raw.execute(f"SELECT {', '.join(names)} FROM {table} WHERE {where}", key).fetchone()
    if (None if found is None else dict(zip(names, found, strict=True))) != _whole(was, keys, key):
        return
    row = _whole(wanted, keys, key)
    if row is None:
        raw.execute(f"DELETE FROM {table} WHERE {where}", key)
        return
    changes = ", ".join(f"{name} = excluded.{name}" for name in row if name not in keys)
    put = f"INSERT INTO {table}({', '.join(row)}) VALUES ({', '.join('?' * len(row))}) ON CONFLICT({', '.join(keys)}) DO UPDATE SET {changes}"
    raw.execute(put, tuple(row.values()))


def _whole(row: Row | None, keys: list[str], key: tuple[Any, ...]) -> Row | None:
    """A row of the record as the table has it."""
    if row is None:
        return None
    return {**as_kept(row), **dict(zip(keys, key, strict=True))}


def as_kept(row: Row) -> Row:
    """The values of a row of the record as a table's columns hold them."""
    return {name: orjson.dumps(value).decode() if isinstance(value, (dict, list)) else value for name, value in row.items()}


def _settle(book: Book, touched: Touched) -> None:
    """Let the engine see the rows as they now are."""
    book.note("undo", sorted(touched.cells))
    if touched.shape:
        book.reshape()
        return
    for tab in book.tabs:
        places = placed(tab, touched)
        if places:
            rows, columns = [at[0] for at in places], [at[1] for at in places]
            held = book.cells(tab, Area(min(rows), min(columns), max(rows) + 1, max(columns) + 1))
            book.put(tab, [(*at, held.get(at, BLANK)) for at in places])


def placed(tab: Tab, touched: Touched) -> list[tuple[int, int]]:
    """Where the touched cells of a sheet now stand."""
    found = ((tab.down.place(row), tab.across.place(column)) for row, column in touched.cells.get(tab.id, ()))
    return sorted((row, column) for row, column in found if row is not None and column is not None)


def touches(changed: Changed) -> Touched:
    """What several changes touch."""
    cells: dict[int, set[tuple[int, int]]] = {}
    for table, key in changed:
        if table == "sheets_cell":
            cells.setdefault(key[0], set()).add((key[1], key[2]))
    others = any(table != "sheets_cell" for table, _ in changed)
    return Touched(cells, others or len(changed) > MOST_SINGLE)
