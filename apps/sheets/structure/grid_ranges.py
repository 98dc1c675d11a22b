"""GridRanges of the vendor's, as areas and back."""

from collections.abc import Mapping
from typing import Any

from apps.sheets.cells import Area
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CheckedObject

ROWS: tuple[str, str] = ("startRowIndex", "endRowIndex")
COLUMNS: tuple[str, str] = ("startColumnIndex", "endColumnIndex")


def bounds(value: Mapping[str, Any]) -> Area:
    """The area of a GridRange."""
    return Area(value.get(ROWS[0]) or 0, value.get(COLUMNS[0]) or 0, value.get(ROWS[1]), value.get(COLUMNS[1]))


def grid_range(tab: Tab, area: Area) -> CheckedObject:
    """An area as a GridRange; open sides are left out."""
    bounds = {
        "startRowIndex": area.top,
        "endRowIndex": area.bottom,
        "startColumnIndex": area.left,
        "endColumnIndex": area.right,
    }
    if area.bottom is None and not area.top:
        del bounds["startRowIndex"]
    if area.right is None and not area.left:
        del bounds["startColumnIndex"]
    return {"sheetId": tab.gid, **{name: value for name, value in bounds.items() if value is not None}}
