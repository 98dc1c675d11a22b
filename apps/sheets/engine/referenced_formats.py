"""Number formats of referenced cells, read in windows that many formulas share."""

from collections.abc import Callable, Mapping
from itertools import product

from apps.sheets.cells import Area
from apps.sheets.vendor_types import CellFormat

ROWS, COLUMNS = 500, 20  # of a window
MOST = 20  # rows and columns of an area that are looked at
Formats = Mapping[tuple[int, int], CellFormat]


class ReferencedFormats:
    """Display hints of a spreadsheet's cells; `read` returns the formats of a sheet's cells, none beyond its edges."""

    def __init__(self, read: Callable[[int, Area], Formats]) -> None:
        self.read = read
        self.windows: dict[tuple[int, int, int], Formats] = {}

    def __call__(self, sheet: int, area: Area) -> str:
        """Return the format type, with its pattern after a colon, of the area's first formatted cell; else empty."""
        bottom, right = (
            near if end is None else min(end, near)
            for end, near in ((area.bottom, area.top + MOST), (area.right, area.left + MOST))
        )
        for row, column in product(range(area.top, bottom), range(area.left, right)):
            number = self.window(sheet, row // ROWS, column // COLUMNS).get((row, column), {}).get("numberFormat")
            if number and number.get("type") != "TEXT":
                kind, pattern = number.get("type", ""), number.get("pattern")
                return f"{kind}:{pattern}" if pattern else kind
        return ""

    def window(self, sheet: int, down: int, across: int) -> Formats:
        """Return the formats of one window."""
        key = sheet, down, across
        if key not in self.windows:
            top, left = down * ROWS, across * COLUMNS
            self.windows[key] = self.read(sheet, Area(top, left, top + ROWS, left + COLUMNS))
        return self.windows[key]
