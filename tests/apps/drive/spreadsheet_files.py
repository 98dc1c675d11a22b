"""Files in and out of the spreadsheets of a test world, and what a spreadsheet holds, row for row."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import orjson

from apps.sheets.files import import_export
from apps.sheets.spreadsheet import Spreadsheet
from tests.company import as_person
from world.core.call import Call
from world.run.host import Host

_ROWS = {
    "sheets": (
        "SELECT title, position, rows, columns, frozen_rows, frozen_columns, hidden, properties FROM sheets_sheet"
        " WHERE file_id = ? ORDER BY position"
    ),
    "cells": (
        "SELECT s.position, c.row, c.col, c.kind, c.input, c.format, c.note, c.validation, c.runs FROM sheets_cell c"
        " JOIN sheets_sheet s ON s.id = c.sheet_id WHERE c.file_id = ? ORDER BY 1, 2, 3"
    ),
    "sizes": (
        "SELECT s.position, d.axis, d.at, d.size, d.hidden, d.filtered FROM sheets_dimension d"
        " JOIN sheets_sheet s ON s.id = d.sheet_id WHERE s.file_id = ? ORDER BY 1, 2, 3"
    ),
    "objects": (
        "SELECT s.position, o.kind, o.name, o.top, o.left, o.bottom, o.right, o.spec FROM sheets_object o JOIN"
        " sheets_sheet s ON s.id = o.sheet_id WHERE o.file_id = ? ORDER BY o.kind, 1, o.position, o.name, o.top, o.left"
    ),
}


def _later(actor: Any) -> int:
    """A time nobody called at yet, so that what is drawn for a call is new."""
    actor.bound.raw.execute("UPDATE _now SET at = at + 1000000")
    return actor.now


@contextmanager
def calling(host: Host, who: str = "ada") -> Iterator[Call]:
    """A call of somebody's, in a transaction: all of it, or nothing."""
    actor = host.actor("w")
    with actor.transactions.open() as bound:
        call = actor.transactions.new_call(bound, as_person(host, who), "sheets", "rest", _later(actor), 0)
        yield call
        call.close(keep=True)


def take_in(host: Host, data: bytes, kind: str = "xlsx", name: str = "Taken in") -> str:
    """Import a file as a new spreadsheet of Ada's; its key."""
    with calling(host) as call:
        return import_export.import_spreadsheet(call, name, data, kind, None)


def give_out(host: Host, key: str, kind: str = "xlsx", gid: int | None = None) -> bytes:
    """Export a spreadsheet."""
    with calling(host) as call, Spreadsheet(call, key) as book:
        return import_export.export_spreadsheet(call, book, kind, gid)


def held(host: Host, key: str) -> dict[str, list[Any]]:
    """Everything a spreadsheet holds, without numbers and keys that are drawn anew."""
    with calling(host) as call:
        number = call.scalar("SELECT id FROM drive_file WHERE key = :key", {"key": key})
        found = {
            name: [list(row) for row in call.bound.raw.execute(sql, (number,)).fetchall()]
            for name, sql in _ROWS.items()
        }
    for row in found["objects"]:
        row[-1] = _without_sheet(orjson.loads(row[-1]))
    return found


def _without_sheet(spec: dict[str, Any]) -> dict[str, Any]:
    ranges = [{name: bound for name, bound in one.items() if name != "sheetId"} for one in spec.get("ranges", [])]
    return {**spec, "ranges": ranges} if ranges else spec


def typed(host: Host, key: str, sheet: int = 0) -> dict[tuple[int, int], tuple[str, str]]:
    """What the cells of a sheet hold."""
    return {
        (row, column): (kind, text)
        for position, row, column, kind, text, *_ in held(host, key)["cells"]
        if position == sheet and kind
    }
