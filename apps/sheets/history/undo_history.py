"""Undo in the page: each gesture is a part of the world's record; undo skips rows that others have changed since."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import orjson
from sqlmodel import SQLModel

from apps.sheets.cells import Area
from apps.sheets.grid import protection
from apps.sheets.grid.stored_cells import BLANK
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.grid_ranges import bounds
from apps.sheets.structure.range_shifts import COLUMNS, FORMULAS, ROWS
from apps.sheets.structure.tabs import Tab
from world.core.call import Call
from world.core.errors import OperationError
from world.core.journal import last_change, parse_json

TABLES = ("sheets_cell", "sheets_dimension", "sheets_object", "sheets_sheet")
PLACES = {*ROWS, *COLUMNS, *FORMULAS, "columnIndex", "dimensionIndex", "rowIndex", "criteria"}
MOST, MOST_SINGLE = 100, 5_000  # gestures kept, cells that are put one by one
_LAID = (
    "SELECT kind, key, top, left, bottom, right, spec FROM sheets_object WHERE sheet_id = :sheet"
    " AND kind NOT IN ('named_range', 'filter_view', 'metadata') ORDER BY id"
)
_LAST = (
    "SELECT id, patch FROM sheets_undo WHERE file_id = :file AND person_id = :me AND undone = :undone ORDER BY id {}"
    " LIMIT 1"
)
_ADD = "INSERT INTO sheets_undo(id, file_id, person_id, undone, patch) VALUES (:id, :file, :me, 0, :patch)"
_OLD = (
    "DELETE FROM sheets_undo WHERE file_id = :file AND person_id = :me AND (undone OR id NOT IN"
    " (SELECT id FROM sheets_undo WHERE file_id = :file AND person_id = :me ORDER BY id DESC LIMIT :most))"
)
_BETWEEN = (
    "SELECT table_name, pk, before, after FROM _journal"
    f" WHERE id > ? AND id <= ? AND table_name IN ({', '.join('?' * len(TABLES))}) ORDER BY id"
)
NESTED = frozenset((dict, list))
Row = dict[str, Any]
Changed = dict[tuple[str, tuple[Any, ...]], tuple[Row | None, Row | None]]


class TouchedCells(NamedTuple):
    """Changes of a step: cells by sheet, as numbered in the tables, and whether anything else."""

    cells: dict[int, set[tuple[int, int]]]
    shape: bool


@contextmanager
def gesture(call: Call, key: str) -> Iterator[Spreadsheet]:
    """Open a spreadsheet for one change that can be undone. Raises not_found, forbidden."""
    with Spreadsheet(call, key, "file.write") as book:
        first = last_change(call.bound)
        yield book
        call.flush()
        last = last_change(call.bound)
        if last > first:
            _keep(book, first, last)


def _mine(book: Spreadsheet) -> Row:
    return {"file": book.file.id, "me": book.call.person}


def _keep(book: Spreadsheet, first: int, last: int) -> None:
    """Add a gesture to the list; undone gestures can then no longer be redone."""
    book.call.execute(_OLD, {**_mine(book), "most": MOST})
    number = (book.call.scalar("SELECT max(id) FROM sheets_undo") or 0) + 1
    book.call.execute(_ADD, {**_mine(book), "id": number, "patch": f"{first} {last}"})


def state(book: Spreadsheet) -> dict[str, bool]:
    """Return whether there is anything to undo, and to redo."""
    rows = book.call.all(
        "SELECT DISTINCT undone FROM sheets_undo WHERE file_id = :file AND person_id = :me", _mine(book)
    )
    kinds = {bool(row[0]) for row in rows}
    return {"undo": False in kinds, "redo": True in kinds}


def step(book: Spreadsheet, *, back: bool) -> TouchedCells:
    """Undo the caller's last gesture, or redo it. Raises nothing_to_undo, protected."""
    found = book.call.first(_LAST.format("DESC" if back else "ASC"), {**_mine(book), "undone": not back})
    if found is None:
        raise OperationError("nothing_to_undo")
    first, last = map(int, found[1].split())
    changed = net(book.call.bound.raw.execute(_BETWEEN, (first, last, *TABLES)))
    touched, kept = touches(changed), _list_closed(book)
    if not touched.shape:
        for tab in book.tabs:
            protection.check(book, tab, list_places(tab, touched))
        _ = book.engine  # warm before the rows change, so that only the touched cells are computed again
    _restore_rows(book.call, changed, back=back)
    book.call.execute("UPDATE sheets_undo SET undone = :undone WHERE id = :id", {"undone": back, "id": found[0]})
    _settle(book, touched)
    if touched.shape and kept.items() - _list_closed(book).items():
        raise OperationError("protected")
    return touched


def _list_closed(book: Spreadsheet) -> dict[tuple[int, int], frozenset[tuple[object, ...]]]:
    """Return the protected content that the caller may not change, by area.

    It includes cells and overlays, from the area's corner, and for a protected sheet its formats and lines.
    """
    return {
        (tab.id, number): frozenset(
            (
                *_list_cells(book, tab, area),
                *_list_overlays(book, tab, area),
                *(_looks(book, tab) if area == protection.WHOLE else ()),
            )
        )
        for tab in book.tabs
        for number, (area, _) in enumerate(protection.list_closed(book, tab))
    }


def _list_cells(book: Spreadsheet, tab: Tab, area: Area) -> Iterator[tuple[object, ...]]:
    """Yield the cells of an area; formulas without their text, as it follows moved lines."""
    for (row, column), one in book.cells(tab, area.within(tab.rows, tab.columns)).items():
        text = "" if one.entry.kind == "formula" else one.entry.input
        yield row - area.top, column - area.left, one.entry.kind, text, *one[1:]


def _list_overlays(book: Spreadsheet, tab: Tab, area: Area) -> Iterator[tuple[object, ...]]:
    """Yield merges, bands, rules, tables and filters that share cells with an area.

    A protected sheet adds charts, groups and the rest.
    """
    whole, is_sheet = area.within(tab.rows, tab.columns), area == protection.WHOLE
    for kind, key, *sides, text in book.call.all(_LAID, {"sheet": tab.id}):
        spec = orjson.loads(text)
        lies = [bounds(one) for one in spec.get("ranges", [])] or [
            Area(sides[0] or 0, sides[1] or 0, sides[2], sides[3])
        ]
        is_there = (sides[0] is not None or "ranges" in spec) and kind != "group"
        if is_sheet or (is_there and any(one.within(tab.rows, tab.columns).meets(whole) for one in lies)):
            ends = (
                None if side is None else side - start
                for side, start in zip(sides, (area.top, area.left) * 2, strict=True)
            )
            yield kind, key, *ends, orjson.dumps(_placeless(spec))


def _placeless(spec: object) -> object:
    """Return a description without rows, columns and formulas, which follow moved lines."""
    if isinstance(spec, list):
        return [_placeless(one) for one in spec]
    return (
        {name: _placeless(one) for name, one in spec.items() if name not in PLACES} if isinstance(spec, dict) else spec
    )


def _looks(book: Spreadsheet, tab: Tab) -> Iterator[tuple[object, ...]]:
    """Yield a protected sheet's title, size and formats, and those of its lines."""
    yield (
        tab.title,
        tab.hidden,
        tab.rows,
        tab.columns,
        tab.frozen_rows,
        tab.frozen_columns,
        orjson.dumps(tab.properties),
    )
    yield from map(
        tuple,
        book.call.all("SELECT axis, at, size, hidden FROM sheets_dimension WHERE sheet_id = :sheet", {"sheet": tab.id}),
    )


def net(entries: Iterable[Sequence[Any]]) -> Changed:
    """Return the net change of each row over several changes, given as in the record: table, key, before, after."""
    out: dict[tuple[str, str], tuple[str | None, str | None]] = {}
    for table, key, before, after in entries:
        at = table, key
        out[at] = (out[at][0] if at in out else before, after)
    return {
        (table, tuple(parse_json(key))): (parse_json(before) if before else None, parse_json(after) if after else None)
        for (table, key), (before, after) in out.items()
        if before != after
    }


def _restore_rows(call: Call, changed: Changed, *, back: bool) -> None:
    """Restore rows that are unchanged since; neighbours of one kind together."""
    pairs = ((table, *(rows[::-1] if back else rows)) for (table, _), rows in changed.items())
    for (table, new, gone), several in groupby(pairs, key=lambda one: (one[0], one[1] is None, one[2] is None)):
        keys, others = _columns(table)
        read = itemgetter(*keys, *others)
        rows = [
            (read(as_kept(was)) if was else ()) + (read(as_kept(wanted)) if wanted else ())
            for _, was, wanted in several
        ]
        call.bound.raw.executemany(_build_statement(table, keys, others, new=new, gone=gone), rows)


def _columns(table: str) -> tuple[list[str], list[str]]:
    """Return the key columns of a table, and the others."""
    columns = SQLModel.metadata.tables[table].columns
    return [column.name for column in columns if column.primary_key], [
        column.name for column in columns if not column.primary_key
    ]


def _build_statement(table: str, keys: list[str], others: list[str], *, new: bool, gone: bool) -> str:
    """Build the statement for inserted, deleted or changed rows; its parameters are the old and new row, key first."""
    names = [*keys, *others]
    marks = [f"?{place}" for place in range(1, 2 * len(names) + 1)]
    if new:
        return (
            f"INSERT INTO {table}({', '.join(names)}) VALUES ({', '.join(marks[: len(names)])}) ON"
            f" CONFLICT({', '.join(keys)}) DO NOTHING"
        )
    change = (
        "DELETE FROM " + table
        if gone
        else f"UPDATE {table} SET ({', '.join(others)}) = ({', '.join(marks[-len(others) :])})"
    )
    return f"{change} WHERE {' AND '.join(f'{name} IS {mark}' for name, mark in zip(names, marks, strict=False))}"


def as_kept(row: Row) -> Row:
    """Convert the values of a recorded row for a table's columns."""
    if NESTED.isdisjoint(map(type, row.values())):
        return row
    return {
        name: orjson.dumps(value).decode() if isinstance(value, (dict, list)) else value for name, value in row.items()
    }


def _settle(book: Spreadsheet, touched: TouchedCells) -> None:
    """Update the engine to the present rows."""
    book.note("undo", sorted(touched.cells))
    if touched.shape:
        book.reshape()
        return
    for tab in book.tabs:
        places = list_places(tab, touched)
        if places:
            rows, columns = [at[0] for at in places], [at[1] for at in places]
            held = book.cells(tab, Area(min(rows), min(columns), max(rows) + 1, max(columns) + 1))
            book.put(tab, [(*at, held.get(at, BLANK)) for at in places])


def list_places(tab: Tab, touched: TouchedCells) -> list[tuple[int, int]]:
    """Return the present places of a sheet's touched cells."""
    found = ((tab.down.place(row), tab.across.place(column)) for row, column in touched.cells.get(tab.id, ()))
    return sorted((row, column) for row, column in found if row is not None and column is not None)


def touches(changed: Changed) -> TouchedCells:
    """Return the cells that several changes touch."""
    cells: dict[int, set[tuple[int, int]]] = {}
    for table, key in changed:
        if table == "sheets_cell":
            cells.setdefault(key[0], set()).add((key[1], key[2]))
    others = any(table != "sheets_cell" for table, _ in changed)
    return TouchedCells(cells, others or len(changed) > MOST_SINGLE)
