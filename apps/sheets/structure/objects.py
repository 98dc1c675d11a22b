"""Stored objects on ranges of a sheet: found, changed, deleted."""

from dataclasses import dataclass
from typing import Any

import orjson

from apps.sheets.cells import Area
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.grid_ranges import grid_range
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CheckedObject

_COLUMNS = "id, kind, key, name, sheet_id, top, left, bottom, right, position, spec"
_OF = f"SELECT {_COLUMNS} FROM sheets_object WHERE file_id = :file AND kind = :kind ORDER BY position, id"
_SET = (
    "UPDATE sheets_object SET name = :name, sheet_id = :sheet, top = :top, left = :left, bottom = :bottom, right ="
    " :right, position = :position, spec = :spec WHERE id = :id"
)
BASED = ("protected_range", "filter_view")  # what may stand on a named range or a table


@dataclass(slots=True)
class StoredObject:
    """A stored object; `sides` are top, left, bottom and right."""

    id: int
    kind: str
    key: str
    name: str
    sheet: int | None
    sides: tuple[int | None, ...]
    position: int
    spec: Any  # as its kind has it

    @property
    def number(self) -> int:
        """Its id as a number; -1 for an id that is none."""
        return int(self.key) if self.key.isdecimal() else -1

    @property
    def area(self) -> Area:
        """Area of the object."""
        return Area(self.sides[0] or 0, self.sides[1] or 0, self.sides[2], self.sides[3])

    def tab(self, book: Spreadsheet) -> Tab:
        """Its sheet."""
        return next(tab for tab in book.tabs if tab.id == self.sheet)

    def find_tab(self, book: Spreadsheet) -> Tab | None:
        """Return its sheet; None if it is on none."""
        return next((tab for tab in book.tabs if tab.id == self.sheet), None)

    def range(self, book: Spreadsheet) -> CheckedObject:
        """Its GridRange."""
        return grid_range(self.tab(book), self.area)


def list_objects(book: Spreadsheet, kind: str, tab: Tab | None = None) -> list[StoredObject]:
    """The things of a kind, of one sheet if said, in order."""
    rows = book.call.all(_OF, {"file": book.file.id, "kind": kind})
    return [
        StoredObject(row[0], row[1], row[2], row[3], row[4], tuple(row[5:9]), row[9], orjson.loads(row[10]))
        for row in rows
        if tab is None or row[4] == tab.id
    ]


def save_object(book: Spreadsheet, thing: StoredObject) -> None:
    """Write a thing that was changed."""
    sides = dict(zip(("top", "left", "bottom", "right"), thing.sides, strict=True))
    spec = orjson.dumps(thing.spec, option=orjson.OPT_SORT_KEYS).decode()
    values = {
        "id": thing.id,
        "name": thing.name,
        "sheet": thing.sheet,
        "position": thing.position,
        "spec": spec,
        **sides,
    }
    book.call.execute(_SET, values)
    book.note("object", thing.kind, thing.key, thing.name, thing.position, sides, thing.spec)


def delete_object(book: Spreadsheet, thing: StoredObject) -> None:
    """Delete a thing."""
    book.call.execute("DELETE FROM sheets_object WHERE id = :id", {"id": thing.id})
    book.note("drop", thing.kind, thing.key)


def list_overlapping(
    things: list[StoredObject], tab: Tab, area: Area, *, but: StoredObject | None = None
) -> list[StoredObject]:
    """The things on a sheet that have cells in common with an area."""
    wanted = area.within(tab.rows, tab.columns)
    return [
        each
        for each in things
        if each.sheet == tab.id
        and (but is None or each.id != but.id)
        and each.area.within(tab.rows, tab.columns).meets(wanted)
    ]


def list_dependents(book: Spreadsheet, field: str, key: str) -> list[StoredObject]:
    """Return the protections and filter views on a named range (`namedRangeId`) or a table (`tableId`)."""
    return [thing for kind in BASED for thing in list_objects(book, kind) if thing.spec.get(field) == key]


def carry(book: Spreadsheet, field: str, thing: StoredObject) -> None:
    """Move the dependents of an object to its area."""
    for each in list_dependents(book, field, thing.key):
        each.sheet, each.sides = thing.sheet, thing.sides
        save_object(book, each)


def release(book: Spreadsheet, field: str, thing: StoredObject) -> None:
    """Detach dependents from an object; they keep its range."""
    for each in list_dependents(book, field, thing.key):
        del each.spec[field]
        save_object(book, each)


Sides = tuple[int | None, int | None, int | None, int | None]


NOWHERE: Sides = (None, None, None, None)
