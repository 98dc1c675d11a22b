"""Requests about named ranges: add, update, delete."""

import re
from dataclasses import dataclass

from apps.sheets.cells import Area
from apps.sheets.grid import protection
from apps.sheets.operations.requests.objects import objects_of, one
from apps.sheets.operations.requests.registry import RequestArguments, request
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure import formula_references
from apps.sheets.structure.objects import (
    StoredObject,
    carry,
    delete_object,
    list_dependents,
    list_objects,
    release,
    save_object,
)
from apps.sheets.structure.row_updates import follow
from apps.sheets.vendor_types import CheckedObject
from world.core.errors import OperationError

KIND, MOST_NAME = "named_range", 250  # support.google.com/docs/answer/63175
_NAME = re.compile(r"[^\W\d]\w*")
_CELL = re.compile(r"[A-Za-z]{1,3}[0-9]+|[Rr][0-9]*[Cc][0-9]*|[Rr][0-9]*|[Cc][0-9]*")


@dataclass(frozen=True, slots=True)
class NamedRangeRename:
    """A named range that has another name."""

    old: str
    new: str

    def formula(self, text: str, own: str) -> str:
        """A formula with the new name."""
        return formula_references.rename_range(text, self.old, self.new)

    def area(self, gid: int, area: Area) -> tuple[int, Area] | None:
        """Everything stays in its place."""
        return gid, area

    def column(self, gid: int, at: int) -> int | None:
        """Everything stays in its place."""
        return at


def to_named_range(book: Spreadsheet, thing: StoredObject) -> CheckedObject:
    """A NamedRange."""
    return {"namedRangeId": thing.key, "name": thing.name, "range": thing.range(book)}


def _check_name(book: Spreadsheet, asked: RequestArguments, name: object, but: str = "") -> str:
    """A name that may be given. Raises bad_request."""
    if not isinstance(name, str) or not name:
        raise asked.wrong("Must specify a name.")
    if len(name) > MOST_NAME or not _NAME.fullmatch(name) or _CELL.fullmatch(name) or name.upper() in ("TRUE", "FALSE"):
        raise asked.wrong(f"Invalid name: {name}")
    if any(thing.name.casefold() == name.casefold() and thing.key != but for thing in list_objects(book, KIND)):
        raise asked.wrong(f"Cannot add named range with name: {name} because a range with this name already exists.")
    if any(thing.name.casefold() == name.casefold() for thing in list_objects(book, "table")):
        raise asked.wrong(f"Cannot add named range with name: {name} because a table with this name already exists.")
    return name


def _open(book: Spreadsheet, asked: RequestArguments, key: str) -> StoredObject:
    """Return a named range the caller may change: no protection on it excludes them. Raises no_object, protected."""
    thing = one(book, asked, KIND, key, "named range")
    if any(
        each.kind == "protected_range" and protection.shuts(book, each.spec)
        for each in list_dependents(book, "namedRangeId", thing.key)
    ):
        raise OperationError("protected")
    return thing


@request("addNamedRange")
def add_named_range(book: Spreadsheet, asked: RequestArguments) -> CheckedObject:
    """Give a range a name that formulas can say."""
    given = objects_of(asked, asked.given, "namedRange")
    name = _check_name(book, asked, given.get("name"))
    tab, area = asked.range_of(book, objects_of(asked, given, "range"))
    key = given.get("namedRangeId") or book.call.ids.digits(9)
    if any(thing.key == key for thing in list_objects(book, KIND)):
        raise asked.wrong(f"A named range with ID: {key} already exists.")
    book.add_object(KIND, tab, area, {}, key=key, name=name)
    book.reshape()
    return {"namedRange": to_named_range(book, one(book, asked, KIND, key, "named range"))}


@request("updateNamedRange")
def update_named_range(book: Spreadsheet, asked: RequestArguments) -> None:
    """Change the name or range of a named range; formulas follow."""
    fields, given = asked.fields(), objects_of(asked, asked.given, "namedRange")
    thing = _open(book, asked, given.get("namedRangeId") or "")
    wanted = fields.merge(to_named_range(book, thing), given)
    old, thing.name = thing.name, _check_name(book, asked, wanted.get("name"), thing.key)
    tab, area = asked.range_of(book, objects_of(asked, wanted, "range"))
    thing.sheet, thing.sides = tab.id, area
    save_object(book, thing)
    carry(book, "namedRangeId", thing)
    if old != thing.name:
        follow(book, NamedRangeRename(old, thing.name))
    book.reshape()


@request("deleteNamedRange")
def delete_named_range(book: Spreadsheet, asked: RequestArguments) -> None:
    """Take a name away; what stood on it keeps its range."""
    thing = _open(book, asked, asked.need("namedRangeId"))
    delete_object(book, thing)
    release(book, "namedRangeId", thing)
    book.reshape()
