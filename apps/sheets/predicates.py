"""Predicates on a spreadsheet at the end of a run: a cell's value, and equivalence of its formula to another."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from apps.sheets.app import app
from apps.sheets.cells import Entry, Value
from apps.sheets.trials import Content, find_cell, find_places, list_books, near, read_book
from world.core.grader_error import GraderError

if TYPE_CHECKING:
    from world.grading.inputs import Rows

_SEEN: "WeakKeyDictionary[Rows, dict[str, Content]]" = WeakKeyDictionary()


@app.predicate("shows")
def shows(rows: "Rows", file: str, cell: str, value: str, inputs: str | None = None) -> bool:
    """Whether a cell (`Close!B4`) of a spreadsheet shows a number, to half a cent, or a text, in any case.

    It must not depend on the clock or on chance. With `inputs` (`Rates!A1:B4`, or nothing) no other cell may affect it, not even an empty one.
    """
    content = _content(rows, file)
    book, place = read_book(content, 0), find_cell(content, cell)
    if place is None or not _is_value(book.value(place), value):
        return False
    return book.is_steady(place) if inputs is None else book.hangs_on(place, find_places(content, inputs))


def _is_value(shown: Value, wanted: str) -> bool:
    """Whether what a cell shows is a number as wanted, or that text."""
    try:
        number = float(wanted)
    except ValueError:
        return isinstance(shown, str) and shown.strip(" .").casefold() == wanted.casefold()
    return near(shown, number)


@app.predicate("agrees")
def agrees(rows: "Rows", file: str, cell: str, formula: str) -> bool:
    """Whether a cell agrees with a formula (its references with their sheets).

    They are compared with the typed numbers and with others, at other times, and with entries in cells that the formula
    does not depend on.
    """
    content = _content(rows, file)
    place, books = find_cell(content, cell), list_books(content)
    return (
        place is not None
        and all(book.agrees(place, formula) for book in books)
        and books[0].hangs_alike(place, formula)
    )


def _content(rows: "Rows", file: str) -> Content:
    """Return the sheets of a spreadsheet with their typed entries. Raises GraderError for an unknown key."""
    seen = _SEEN.setdefault(rows, {})
    if file not in seen:
        seen[file] = _read_content(rows, file)
    return seen[file]


def _read_content(rows: "Rows", file: str) -> Content:
    id = next((row["id"] for row in rows.rows("drive_file") if row["key"] == file), None)
    if id is None:
        raise GraderError(f"no file has the key {file!r}")
    cells: dict[int, list[tuple[int, int, Entry]]] = {}
    for row in rows.rows("sheets_cell"):
        if row["file_id"] == id and row["kind"]:
            cells.setdefault(row["sheet_id"], []).append(_parse_cell(row))
    sheets = sorted(
        (row["position"], row["id"], str(row["title"])) for row in rows.rows("sheets_sheet") if row["file_id"] == id
    )
    return tuple((sheet, title, tuple(sorted(cells.get(sheet, ())))) for _, sheet, title in sheets)


def _parse_cell(row: Mapping[str, Any]) -> tuple[int, int, Entry]:
    return row["row"], row["col"], Entry(row["kind"], row["input"])
