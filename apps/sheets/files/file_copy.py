"""Copies of a spreadsheet's content into another file: sheets, cells, rows and columns, and objects on ranges."""

import orjson

from apps.drive.public import by_id
from apps.sheets.grid import protection
from world.core.call import Call

_SHEETS = "SELECT id FROM sheets_sheet WHERE file_id = :old ORDER BY position, id"
_SHEET = (
    "INSERT INTO sheets_sheet(id, file_id, gid, title, position, rows, columns, frozen_rows, frozen_columns, hidden,"
    " properties) SELECT :to, :new, gid, title, position, rows, columns, frozen_rows, frozen_columns, hidden,"
    " properties FROM sheets_sheet WHERE id = :sheet"
)
_CELLS = (
    "INSERT INTO sheets_cell(sheet_id, row, col, file_id, kind, input, format, note, validation, runs)"
    " SELECT :to, row, col, :new, kind, input, format, note, validation, runs FROM sheets_cell WHERE sheet_id = :sheet"
)
_DIMENSIONS = (
    "INSERT INTO sheets_dimension(sheet_id, axis, at, size, hidden, filtered)"
    " SELECT :to, axis, at, size, hidden, filtered FROM sheets_dimension WHERE sheet_id = :sheet"
)
_OBJECTS = "SELECT id FROM sheets_object WHERE file_id = :old ORDER BY id"
_OBJECT = (
    "INSERT INTO sheets_object(id, file_id, sheet_id, kind, key, name, position, top, left, bottom, right, spec) SELECT"
    " :to, :new, :sheet, kind, key, name, position, top, left, bottom, right, spec FROM sheets_object WHERE id ="
    " :object"
)
_BOOK = (
    "INSERT INTO sheets_spreadsheet(file_id, locale, time_zone, properties, state)"
    " SELECT :new, locale, time_zone, properties, :state FROM sheets_spreadsheet WHERE file_id = :old"
)


def copy(call: Call, old: int, new: int, state: str) -> None:
    """Copy a spreadsheet's content into an empty file; comments are not copied."""
    call.execute(_BOOK, {"old": old, "new": new, "state": state})
    above = call.scalar("SELECT max(id) FROM sheets_sheet") or 0
    moved = {row[0]: above + place for place, row in enumerate(call.all(_SHEETS, {"old": old}), 1)}
    for sheet, to in moved.items():
        for sql in (_SHEET, _CELLS):
            call.execute(sql, {"sheet": sheet, "to": to, "new": new})
        call.execute(_DIMENSIONS, {"sheet": sheet, "to": to})
    _objects(call, old, new, moved)
    _protections(call, old, new)


def _protections(call: Call, old: int, new: int) -> None:
    """Remove from copied protections the editors whom the caller may not know."""
    file = by_id(call, old)
    for id, text in call.all(
        "SELECT id, spec FROM sheets_object WHERE file_id = :new AND kind = 'protected_range' ORDER BY id", {"new": new}
    ):
        spec = orjson.loads(text)
        kept = spec if file is None else protection.copy_protection(call, file, spec)
        if kept != spec:
            told = orjson.dumps(kept, option=orjson.OPT_SORT_KEYS).decode()
            call.execute("UPDATE sheets_object SET spec = :spec WHERE id = :id", {"spec": told, "id": id})


def _objects(call: Call, old: int, new: int, moved: dict[int, int]) -> None:
    above = call.scalar("SELECT max(id) FROM sheets_object") or 0
    for place, (object_id,) in enumerate(call.all(_OBJECTS, {"old": old}), 1):
        sheet = call.scalar("SELECT sheet_id FROM sheets_object WHERE id = :id", {"id": object_id})
        values = {"to": above + place, "new": new, "object": object_id, "sheet": moved.get(sheet)}
        call.execute(_OBJECT, values)
