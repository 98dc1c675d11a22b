"""What requests do to things that lie on ranges: found by their ids, changed, deleted, kept apart."""

from dataclasses import dataclass
from typing import Any

import orjson

from apps.sheets.cells import Area
from apps.sheets.operations.requests.registry import Asked, grid_range
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.tabs import Tab
from world.core.errors import OperationError

_COLUMNS = "id, kind, key, name, sheet_id, top, left, bottom, right, position, spec"
_OF = f"SELECT {_COLUMNS} FROM sheets_object WHERE file_id = :file AND kind = :kind ORDER BY position, id"
_SET = (
    "UPDATE sheets_object SET name = :name, sheet_id = :sheet, top = :top, left = :left, bottom = :bottom, right ="
    " :right, position = :position, spec = :spec WHERE id = :id"
)
MOST = 10_000  # things of one kind
BASED = ("protected_range", "filter_view")  # what may stand on a named range or a table


@dataclass(slots=True)
class Held:
    """A thing as it is kept; `sides` are top, left, bottom and right."""

    id: int
    kind: str
    key: str
    name: str
    sheet: int | None
    sides: tuple[int | None, ...]
    position: int
    spec: dict[str, Any]

    @property
    def number(self) -> int:
        """Its id as a number; -1 for an id that is none."""
        return int(self.key) if self.key.isdecimal() else -1

    @property
    def area(self) -> Area:
        """Where it lies."""
        return Area(self.sides[0] or 0, self.sides[1] or 0, self.sides[2], self.sides[3])

    def tab(self, book: Spreadsheet) -> Tab:
        """Its sheet."""
        return next(tab for tab in book.tabs if tab.id == self.sheet)

    def range(self, book: Spreadsheet) -> dict[str, Any]:
        """Its GridRange."""
        return grid_range(self.tab(book), self.area)


def held(book: Spreadsheet, kind: str, tab: Tab | None = None) -> list[Held]:
    """The things of a kind, of one sheet if said, in order."""
    rows = book.call.all(_OF, {"file": book.file.id, "kind": kind})
    return [
        Held(row[0], row[1], row[2], row[3], row[4], tuple(row[5:9]), row[9], orjson.loads(row[10]))
        for row in rows
        if tab is None or row[4] == tab.id
    ]


def one(book: Spreadsheet, asked: Asked, kind: str, key: Any, what: str) -> Held:
    """The thing of an id. Raises no_object."""
    found = next(
        (each for each in held(book, kind) if each.key == str(key) or (isinstance(key, int) and each.number == key)),
        None,
    )
    if found is None:
        raise OperationError("no_object", place=asked.place, kind=asked.kind, what=what, id=key)
    return found


def save(book: Spreadsheet, thing: Held) -> None:
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


def drop(book: Spreadsheet, thing: Held) -> None:
    """Delete a thing."""
    book.call.execute("DELETE FROM sheets_object WHERE id = :id", {"id": thing.id})
    book.note("drop", thing.kind, thing.key)


def new_key(book: Spreadsheet, asked: Asked, kinds: tuple[str, ...], given: int | None, what: str) -> str:
    """An id for a new thing: the one given, or a new one. Raises bad_request for one that is taken or no id."""
    taken = {each.key for kind in kinds for each in held(book, kind)}
    if len(taken) >= MOST:
        raise asked.wrong(f"You cannot have more than {MOST} of these.")
    if given is None:
        return next(key for key in iter(lambda: str(int(book.call.ids.digits(9)) or 1), "") if key not in taken)
    if given < 0:
        raise asked.wrong(f"{what} IDs must not be negative.")
    if str(given) in taken:
        raise asked.wrong(f"A {what} with id {given} already exists.")
    return str(given)


def objects_of(asked: Asked, given: dict[str, Any], name: str) -> dict[str, Any]:
    """A part of an object that must be there. Raises bad_request."""
    found = given.get(name)
    if not isinstance(found, dict):
        raise asked.wrong(f"{name} is required.")
    return found


def overlapping(things: list[Held], tab: Tab, area: Area, *, but: Held | None = None) -> list[Held]:
    """The things on a sheet that have cells in common with an area."""
    wanted = area.within(tab.rows, tab.columns)
    return [
        each
        for each in things
        if each.sheet == tab.id
        and (but is None or each.id != but.id)
        and each.area.within(tab.rows, tab.columns).meets(wanted)
    ]


def based(book: Spreadsheet, field: str, key: str) -> list[Held]:
    """The protections and filter views that stand on a named range (`namedRangeId`) or a table (`tableId`)."""
    return [thing for kind in BASED for thing in held(book, kind) if thing.spec.get(field) == key]


def carry(book: Spreadsheet, field: str, thing: Held) -> None:
    """Let what stands on a thing lie where it lies."""
    for each in based(book, field, thing.key):
        each.sheet, each.sides = thing.sheet, thing.sides
        save(book, each)


def release(book: Spreadsheet, field: str, thing: Held) -> None:
    """Let what stood on a thing keep its range without it."""
    for each in based(book, field, thing.key):
        del each.spec[field]
        save(book, each)
