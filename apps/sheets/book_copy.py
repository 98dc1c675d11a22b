"""Copies of a spreadsheet's rows in a separate database: the pages' code then draws it from rows, without a world."""

from collections.abc import Mapping
from weakref import WeakKeyDictionary

import orjson
from sqlmodel import SQLModel

from apps.sheets.app import app
from apps.sheets.spreadsheet import Spreadsheet
from world.core.call import Call
from world.core.principal import system
from world.core.reading.part import Lookup, Row
from world.store.memory import open_memory

_OF_FILE = ("sheets_sheet", "sheets_cell", "sheets_object", "sheets_spreadsheet")
_EMPTY = ("drive_comment", "drive_permission")
_DIRECTORY = ("person", "alias")
_COPIES: "WeakKeyDictionary[Lookup, dict[int, Spreadsheet | None]]" = WeakKeyDictionary()


def open_copy(lookup: Lookup, file_id: int) -> Spreadsheet | None:
    """Open a copy of a file's spreadsheet from the rows of a lookup, once per lookup; None if the file is gone."""
    copies = _COPIES.setdefault(lookup, {})
    if file_id not in copies:
        file = lookup.row("drive_file", file_id)
        copies[file_id] = None if file is None else _open(lookup, file)
    return copies[file_id]


def _open(lookup: Lookup, file: Row) -> Spreadsheet:
    content: dict[str, list[Row]] = {name: list(lookup.find(name, file_id=file["id"])) for name in _OF_FILE}
    content["sheets_dimension"] = [
        row for sheet in content["sheets_sheet"] for row in lookup.find("sheets_dimension", sheet_id=sheet["id"])
    ]
    content |= {"drive_file": [file], **{name: list(lookup.find(name)) for name in _DIRECTORY}}
    tables = SQLModel.metadata.tables
    listed = {name: map(_encode, content.get(name, ())) for name in (*content, *_EMPTY)}
    bound = open_memory({tables[name]: rows for name, rows in listed.items()})
    reader = system("", "reader")
    call = Call(bound, {app.name: app}, app.name, reader, door="world", now=file["modified_at"], seq=0, seed=0)
    return Spreadsheet(call, file["key"])


def _encode(row: Row) -> Mapping[str, object]:
    """Encode a row for SQLite."""
    return {name: _as_stored(value) for name, value in row.items()}


def _as_stored(value: object) -> object:
    return orjson.dumps(value).decode() if isinstance(value, (dict, list)) else value
