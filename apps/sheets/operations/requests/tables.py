"""Requests about tables: add, update, delete. A table has a name, named columns with types, and coloured rows."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from apps.sheets.cells import Area, Entry
from apps.sheets.grid import protection
from apps.sheets.grid.conditions import AreaValues
from apps.sheets.grid.stored_cells import BLANK
from apps.sheets.json_columns import encode_object
from apps.sheets.operations.requests.banding import TAKEN
from apps.sheets.operations.requests.objects import objects_of, one
from apps.sheets.operations.requests.registry import RequestArguments, request
from apps.sheets.operations.requests.validation import check_rule
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure import table_references
from apps.sheets.structure.objects import (
    StoredObject,
    carry,
    delete_object,
    list_objects,
    list_overlapping,
    release,
    save_object,
)
from apps.sheets.structure.range_shifts import apart
from apps.sheets.structure.row_updates import follow
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CheckedObject
from apps.sheets.views.objects import render_table

KIND, MOST_NAME = "table", 250
OVER = "You can't create a table over another table."
MERGED = "You can't create a table over merged cells."
CHOICES = ("ONE_OF_LIST", "ONE_OF_RANGE")


def _name(book: Spreadsheet, asked: RequestArguments, given: Any, but: str = "") -> str:
    """A table's name; a free one if none is given. Raises bad_request."""
    taken = {thing.name.casefold() for thing in list_objects(book, KIND) if thing.key != but}
    if not given:
        return next(name for number in range(1, len(taken) + 2) if (name := f"Table{number}").casefold() not in taken)
    if len(given) > MOST_NAME or not given.strip():
        raise asked.wrong(f"Invalid table name: {given[:50]}")
    if given.casefold() in taken or given.lower() in book.names:
        raise asked.wrong(f'A table or named range with the name "{given}" already exists.')
    return given


def _place(
    book: Spreadsheet, asked: RequestArguments, given: CheckedObject, but: StoredObject | None = None
) -> tuple[Tab, Area]:
    """The range of a table. Raises bad_request, protected."""
    tab, area = asked.range_of(book, objects_of(asked, given, "range"))
    whole = area.within(tab.rows, tab.columns)
    protection.check_area(book, tab, whole)
    for kind, problem in (("table", OVER), ("merge", MERGED), ("banding", TAKEN)):
        if list_overlapping(list_objects(book, kind, tab), tab, whole, but=but):
            raise asked.wrong(problem)
    return tab, whole


def _columns(book: Spreadsheet, asked: RequestArguments, tab: Tab, area: Area, given: Any) -> list[CheckedObject]:
    """The columns of a table: as given, else named by the header's cells. Raises bad_request."""
    width = (area.right or 0) - area.left
    named: dict[int, CheckedObject] = {}
    if not isinstance(given, list):
        raise asked.wrong("columnProperties must be a list.")
    for column in given:
        place = column.get("columnIndex") or 0
        if not 0 <= place < width or place in named:
            raise asked.wrong(f"Invalid columnIndex: {place}")
        named[place] = column
    seen = AreaValues(book, tab, Area(area.top, area.left, area.top + 1, area.right))
    return apart(
        [
            _column(book, asked, named.get(place, {}), seen.text(area.top, area.left + place), place)
            for place in range(width)
        ]
    )


def _column(book: Spreadsheet, asked: RequestArguments, given: CheckedObject, shown: str, place: int) -> CheckedObject:
    """Return one column as stored."""
    kind = given.get("columnType") or ""
    column: CheckedObject = {"columnName": given.get("columnName") or shown or f"Column {place + 1}"}
    if kind and not kind.endswith("_UNSPECIFIED"):
        column["columnType"] = kind
    rule = given.get("dataValidationRule")
    if (rule is not None) != (kind == "DROPDOWN"):
        raise asked.wrong("dataValidationRule must be set for columns of type DROPDOWN, and for no others.")
    if rule is not None:
        kept = check_rule(book, asked, rule)
        if kept["condition"]["type"] not in CHOICES:
            raise asked.wrong("The condition of a DROPDOWN column must be ONE_OF_LIST or ONE_OF_RANGE.")
        column["dataValidationRule"] = {"condition": kept["condition"]}
    return column


def dress(book: Spreadsheet, tab: Tab, area: Area, columns: list[CheckedObject]) -> None:
    """Put the columns' names into the header's cells and their rules on the cells below."""
    known = book.cells(tab, area)
    new: dict[tuple[int, int], Any] = {}
    for column, described in enumerate(columns, area.left):
        at = (area.top, column)
        if AreaValues(book, tab, Area(area.top, column, area.top + 1, column + 1)).text(*at) != described["columnName"]:
            new[at] = known.get(at, BLANK)._replace(entry=Entry("text", described["columnName"]), runs=None)
        rule = _rule(described)
        for row in range(area.top + 1, area.bottom or 0) if rule else ():
            new[row, column] = known.get((row, column), BLANK)._replace(validation=rule)
    if new:
        book.put(tab, [(*at, cell) for at, cell in sorted(new.items())])


def _rule(column: CheckedObject) -> str | None:
    """The validation of a column's cells."""
    if column.get("columnType") == "BOOLEAN":
        return encode_object({"condition": {"type": "BOOLEAN"}, "strict": True})
    rule = column.get("dataValidationRule")
    return encode_object({**rule, "showCustomUi": True}) if rule else None


@request("addTable")
def add_table(book: Spreadsheet, asked: RequestArguments) -> CheckedObject:
    """Make a range a table; its first row is the header."""
    given = objects_of(asked, asked.given, "table")
    tab, area = _place(book, asked, given)
    name = _name(book, asked, given.get("name"))
    columns = _columns(book, asked, tab, area, given.get("columnProperties") or [])
    key = given.get("tableId") or book.call.ids.digits(9)
    if any(thing.key == key for thing in list_objects(book, KIND)):
        raise asked.wrong(f"A table with id {key} already exists.")
    rows = {"rowsProperties": given["rowsProperties"]} if given.get("rowsProperties") else {}
    book.add_object(KIND, tab, area, {"columnProperties": columns, **rows}, key=key, name=name)
    dress(book, tab, area, columns)
    return {"table": render_table(book, one(book, asked, KIND, key, "table"))}


@dataclass(frozen=True, slots=True)
class RewrittenFormulas:
    """Formulas that speak of a table otherwise; everything stays in its place."""

    words: Callable[[str], str]

    def formula(self, text: str, own: str) -> str:
        """A formula in the new words."""
        return self.words(text)

    def area(self, gid: int, area: Area) -> tuple[int, Area] | None:
        """The same."""
        return gid, area

    def column(self, gid: int, at: int) -> int | None:
        """The same."""
        return at


def _reword(book: Spreadsheet, old: StoredObject, name: str, columns: list[CheckedObject]) -> None:
    """Let formulas follow a table's new name and its columns' new names."""
    names = [column["columnName"] for column in old.spec.get("columnProperties") or []]
    for before, column in zip(names, columns, strict=False):
        if before != column["columnName"]:
            follow(
                book,
                RewrittenFormulas(
                    partial(table_references.column_renamed, table=old.name, old=before, new=column["columnName"])
                ),
            )
    if name != old.name:
        follow(book, RewrittenFormulas(partial(table_references.table_renamed, old=old.name, new=name)))


def _with_footer(thing: StoredObject, wanted: CheckedObject) -> CheckedObject:
    """A table's range with a row more or less, when it gets a footer or loses it."""
    had, has = ("footerColorStyle" in (spec.get("rowsProperties") or {}) for spec in (thing.spec, wanted))
    return {**wanted["range"], "endRowIndex": wanted["range"]["endRowIndex"] + int(has) - int(had)}


@request("updateTable")
def update_table(book: Spreadsheet, asked: RequestArguments) -> None:
    """Change a table's name, range, columns or colours."""
    fields, given = asked.fields(), objects_of(asked, asked.given, "table")
    thing = one(book, asked, KIND, given.get("tableId") or "", "table")
    protection.check_area(book, thing.tab(book), thing.area)
    wanted = fields.merge(render_table(book, thing), given)
    if not fields.has("range"):
        wanted["range"] = _with_footer(thing, wanted)
    tab, area = _place(book, asked, wanted, thing)
    width = (area.right or 0) - area.left
    kept: Any = wanted.get("columnProperties") or []
    if not fields.has("columnProperties"):
        kept = [column for column in kept if (column.get("columnIndex") or 0) < width]
    columns = _columns(book, asked, tab, area, kept)
    name = _name(book, asked, wanted.get("name"), thing.key)
    _reword(book, thing, name, columns)
    thing.name, thing.sheet, thing.sides = name, tab.id, area
    rows = {"rowsProperties": wanted["rowsProperties"]} if wanted.get("rowsProperties") else {}
    thing.spec = {"columnProperties": columns, **rows}
    save_object(book, thing)
    carry(book, "tableId", thing)
    dress(book, tab, area, columns)


@request("deleteTable")
def delete_table(book: Spreadsheet, asked: RequestArguments) -> None:
    """Delete a table with what is in it."""
    thing = one(book, asked, KIND, asked.need("tableId"), "table")
    tab = thing.tab(book)
    protection.check_area(book, tab, thing.area)
    follow(book, RewrittenFormulas(partial(table_references.table_lost, name=thing.name)))
    delete_object(book, thing)
    release(book, "tableId", thing)
    book.put(tab, [(*at, BLANK) for at in book.cells(tab, thing.area)])
