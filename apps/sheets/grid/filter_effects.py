"""Effects of filters: hidden rows, and the order of the others."""

from collections.abc import Mapping
from typing import Any

from apps.sheets.cells import Area
from apps.sheets.grid.conditions import AreaValues, Conditions, Test
from apps.sheets.grid.effective_formats import effective_formats, rgb_of, style_at
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.dimensions import Lines, set_sizes, sizes
from apps.sheets.structure.objects import list_objects
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import Color, ColorStyle, Filter, FilterCriteria

WHITE, BLACK = (255, 255, 255), (0, 0, 0)


def criteria(spec: Filter) -> dict[int, FilterCriteria]:
    """The criteria of a filter by the number of their column, from either of the vendor's two forms."""
    old = {int(key): item for key, item in (spec.get("criteria") or {}).items() if str(key).isdigit()}
    return old | {
        one.get("columnIndex") or 0: wanted
        for one in spec.get("filterSpecs") or []
        if (wanted := one.get("filterCriteria"))
    }


def find_hidden_rows(book: Spreadsheet, tab: Tab, area: Area, spec: Filter) -> set[int]:
    """The rows of a range that its filter hides; the first one is its header."""
    whole = area.within(tab.rows, tab.columns)
    body = Area(
        whole.top + 1, whole.left, max(min(whole.bottom or 0, book.last(tab)[0] + 1), whole.top + 1), whole.right
    )
    found: set[int] = set()
    for column, wanted in criteria(spec).items():
        if not body.left <= column < (body.right or 0):
            continue
        lane = Area(body.top, column, whole.bottom if _reaches(wanted) else body.bottom, column + 1)
        tests = _tests(book, tab, lane, wanted)
        found |= {row for row in range(lane.top, lane.bottom or 0) if not all(test(row, column) for test in tests)}
    return found


def _reaches(wanted: FilterCriteria) -> bool:
    """Whether a criterion may hide empty rows below the data."""
    return bool(wanted.get("condition") or wanted.get("hiddenValues") or _colour(wanted))


def _colour(wanted: FilterCriteria) -> tuple[str, ColorStyle] | None:
    """Return the required colour, and whether it is that of the background or the text."""
    for name in ("Background", "Foreground"):
        style = style_at(wanted, f"visible{name}Color")
        if style:
            return name, style
    return None


def _tests(book: Spreadsheet, tab: Tab, lane: Area, wanted: FilterCriteria) -> list[Test]:
    """Return the tests that cells of a column must pass to stay visible."""
    seen, tests = AreaValues(book, tab, lane), []
    values = {str(value) for value in wanted.get("hiddenValues") or []}
    if values:
        tests.append(lambda row, column: seen.text(row, column) not in values)
    if condition := wanted.get("condition"):
        tests.append(Conditions(book).test(seen, condition, (lane.top, lane.left)))
    colour = _colour(wanted)
    if colour:
        tests.append(_build_colour_test(book, tab, lane, *colour))
    return tests


def _build_colour_test(book: Spreadsheet, tab: Tab, lane: Area, what: str, style: ColorStyle) -> Test:
    looks = book.formats(tab, lane) | effective_formats(book, tab, lane)
    asked, name, usual = shade(rgb_of(style)), f"{what.lower()}Color", WHITE if what == "Background" else BLACK

    def holds(row: int, column: int) -> bool:
        look = looks.get((row, column), {})
        own = style_at(look if what == "Background" else look.get("textFormat") or {}, name)
        return (shade(rgb_of(own)) if own else usual) == asked

    return holds


def shade(colour: Color) -> tuple[int, ...]:
    """A colour as three numbers up to 255."""
    return tuple(round(min(max(float(colour.get(part) or 0), 0.0), 1.0) * 255) for part in ("red", "green", "blue"))


def apply(book: Spreadsheet, tab: Tab) -> None:
    """Hide the rows that the sheet's basic filter and slicers hide, and show those that they no longer do."""
    wanted: set[int] = set()
    for thing in list_objects(book, "basic_filter", tab):
        wanted |= find_hidden_rows(book, tab, thing.area, thing.spec)
    for thing in list_objects(book, "slicer", tab):
        area, spec = get_slicer_filter(thing.spec)
        wanted |= find_hidden_rows(book, tab, area, spec)
    known = sizes(book, Lines(tab, "ROWS", 0, tab.rows))
    usual = (None, False, False)
    changed = wanted ^ {at for at, (_, _, filtered) in known.items() if filtered}
    if changed:
        set_sizes(book, tab, "ROWS", {at: (*known.get(at, usual)[:2], at in wanted) for at in sorted(changed)})


def get_slicer_filter(spec: Mapping[str, Any]) -> tuple[Area, Filter]:
    """The range of a slicer and the filter it is."""
    inner = spec.get("spec") or {}
    data = inner.get("dataRange") or {}
    area = Area(
        data.get("startRowIndex") or 0,
        data.get("startColumnIndex") or 0,
        data.get("endRowIndex"),
        data.get("endColumnIndex"),
    )
    return area, {
        "filterSpecs": [
            {
                "columnIndex": area.left + (inner.get("columnIndex") or 0),
                "filterCriteria": inner.get("filterCriteria") or {},
            }
        ]
    }
