"""Content of a spreadsheet between a file and the world."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from apps.sheets.a1 import MOST_COLUMNS, MOST_ROWS
from apps.sheets.cells import Area
from apps.sheets.spreadsheet import MOST_CELLS
from world.core.errors import OperationError

USUAL_ROWS, USUAL_COLUMNS = 1000, 26
Placed = tuple[int, int, str, str, int]  # row, column, kind, input, style
At = tuple[int, int]


@dataclass(slots=True)
class Size:
    """A row or column with a non-default size."""

    axis: str
    at: int
    size: int | None = None
    hidden: bool = False
    filtered: bool = False


@dataclass(slots=True)
class RangeObject:
    """An object on a range."""

    kind: str
    area: Area
    spec: dict[str, Any] = field(default_factory=dict)
    name: str = ""


@dataclass(slots=True)
class Extra:
    """Note, validation and text runs of a cell; JSON as stored."""

    note: str | None = None
    validation: str | None = None
    runs: str | None = None


@dataclass(slots=True)
class Sheet:
    """One tab."""

    title: str
    rows: int = USUAL_ROWS
    columns: int = USUAL_COLUMNS
    frozen_rows: int = 0
    frozen_columns: int = 0
    hidden: bool = False
    properties: dict[str, Any] = field(default_factory=dict)
    cells: list[Placed] = field(default_factory=list)
    extras: dict[At, Extra] = field(default_factory=dict)
    sizes: list[Size] = field(default_factory=list)
    things: list[RangeObject] = field(default_factory=list)

    def extra(self, at: At) -> Extra:
        """Return the extras of a cell, created on first use."""
        return self.extras.setdefault(at, Extra())


@dataclass(slots=True)
class Content:
    """Sheets in order, the numbered formats of the cells' styles (JSON as stored), and the names of ranges by sheet."""

    sheets: list[Sheet] = field(default_factory=list)
    formats: Sequence[str | None] = (None,)
    names: list[tuple[str, int, Area]] = field(default_factory=list)
    locale: str = ""
    zone: str = ""


_ROW, _COLUMN = itemgetter(0), itemgetter(1)


def _reach(cells: Sequence[Placed], extras: Mapping[At, Extra]) -> tuple[int, int]:
    """Return the numbers of rows and columns that cells and notes need."""
    noted = [at for at, extra in extras.items() if extra.note]
    down, across = max(map(_ROW, cells), default=-1), max(map(_COLUMN, cells), default=-1)
    return max([down, *(row for row, _ in noted)]) + 1, max([across, *(column for _, column in noted)]) + 1


def fit_sheet(sheet: Sheet, kept: tuple[int, int] = (0, 0)) -> None:
    """Resize a sheet to its content, and drop formats beyond it. Raises too_many_cells."""
    bottom, right = _reach([cell for cell in sheet.cells if cell[2]], sheet.extras)
    sheet.rows, sheet.columns = (
        (max(bottom, kept[0]), max(right, kept[1]))
        if all(kept)
        else (max(bottom, USUAL_ROWS), max(right, USUAL_COLUMNS))
    )
    if sheet.rows > MOST_ROWS or sheet.columns > MOST_COLUMNS or sheet.rows * sheet.columns > MOST_CELLS:
        raise OperationError("too_many_cells", most=MOST_CELLS)
    rows, columns = sheet.rows, sheet.columns
    down, across = _reach(sheet.cells, {})
    if down > rows or across > columns:
        sheet.cells = [cell for cell in sheet.cells if cell[0] < rows and cell[1] < columns]
    sheet.extras = {at: extra for at, extra in sheet.extras.items() if at[0] < rows and at[1] < columns}
    sheet.sizes = [size for size in sheet.sizes if size.at < (rows if size.axis == "ROWS" else columns)]
    sheet.frozen_rows, sheet.frozen_columns = min(sheet.frozen_rows, rows - 1), min(sheet.frozen_columns, columns - 1)
    clipped = [(thing, thing.area.within(rows, columns)) for thing in sheet.things]
    sheet.things = [thing for thing, area in clipped if area.top < (area.bottom or 0) and area.left < (area.right or 0)]
    for thing, area in clipped:
        if (thing.area.bottom or 0) > rows or (thing.area.right or 0) > columns:
            thing.area = area
