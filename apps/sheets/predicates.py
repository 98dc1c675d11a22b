"""What graders may ask of a spreadsheet at the end of a run: what a cell comes to, and whether its formula is as good
as another.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from apps.sheets import a1
from apps.sheets.app import app
from apps.sheets.cells import Area, Entry, Fault, Value
from apps.sheets.engine import engine
from apps.sheets.formats.entry import number_text
from world.core.evidence import GraderError
from world.core.rng import Stream

if TYPE_CHECKING:
    from apps.sheets.engine import SheetEngine
    from world.grading.inputs import Rows

TRIALS = 3  # with other numbers, beside the book as it is
NEAR = 0.006  # half a cent, and what the last bits of a sum differ by
MOST = 1_000  # by how much a typed number is made another one
Cells = tuple[tuple[int, int, Entry], ...]
Content = tuple[tuple[int, str, Cells], ...]
_SEEN: "WeakKeyDictionary[Rows, dict[str, Content]]" = WeakKeyDictionary()


@app.predicate("shows")
def shows(rows: "Rows", file: str, cell: str, value: str) -> bool:
    """Whether a cell (`Close!B4`) of the spreadsheet of a key comes to a number, to half a cent."""
    return _near(_value(_content(rows, file), 0, cell), float(value))


@app.predicate("agrees")
def agrees(rows: "Rows", file: str, cell: str, formula: str) -> bool:
    """Whether a cell comes to what a formula (its references with their sheets) would, with the typed numbers as they
    are and with others.
    """
    content = _content(rows, file)
    return all(_near(_value(content, trial, cell), _other(content, trial, formula)) for trial in range(TRIALS + 1))


def _near(found: Value, wanted: Value) -> bool:
    numbers = [one for one in (found, wanted) if isinstance(one, (int, float)) and not isinstance(one, bool)]
    return len(numbers) == 2 and abs(numbers[0] - numbers[1]) <= NEAR


def _content(rows: "Rows", file: str) -> Content:
    """The sheets of a spreadsheet with what was typed into them. Raises GraderError if there is none of that key."""
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


@lru_cache(maxsize=32)
def _book(content: Content, trial: int) -> "tuple[SheetEngine, int]":
    """An engine with the book, its typed numbers others in each trial but the first; and an empty sheet beside it."""
    draws = Stream("typed numbers", trial)
    sheets = [
        (sheet, title, [(row, column, _varied(entry, trial, draws)) for row, column, entry in cells])
        for sheet, title, cells in content
    ]
    beside = max((sheet for sheet, *_ in sheets), default=0) + 1
    made = engine(lambda key, text: Fault("#REF!", "Import Range internal error."))
    made.load([*sheets, (beside, "\u2007", [])], {})
    return made, beside


def _varied(entry: Entry, trial: int, draws: Stream) -> Entry:
    if not trial or entry.kind != "number":
        return entry
    return Entry("number", number_text(float(entry.input) + draws.integer(1, MOST)))


@lru_cache(maxsize=4096)
def _value(content: Content, trial: int, cell: str) -> Value:
    """What a cell comes to. Raises GraderError for what is no cell with its sheet."""
    place = a1.parse(cell)
    sheet = next((sheet for sheet, title, _ in content if title == place.sheet), None)
    if place.area is None or place.sheet is None:
        raise GraderError(f"{cell!r} is no cell with its sheet, such as Close!B4")
    return None if sheet is None else _book(content, trial)[0].value(sheet, place.area.top, place.area.left)


@lru_cache(maxsize=4096)
def _other(content: Content, trial: int, formula: str) -> Value:
    book, beside = _book(content, trial)
    book.put(beside, [(0, 0, Entry("formula", formula))])
    return book.values(beside, Area(0, 0, 1, 1))[0][0]
