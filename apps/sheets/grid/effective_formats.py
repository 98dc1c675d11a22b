"""Effective formats of cells: banding and tables below their own formats, conditional formats above."""

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import orjson

from apps.sheets.cells import Area
from apps.sheets.grid.conditions import AreaValues, Cells, Conditions, is_number
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.grid_ranges import bounds
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import (
    CellFormat,
    Color,
    ColorStyle,
    ConditionalFormatRule,
    GradientRule,
    InterpolationPoint,
)

MOST_TESTS = 300_000  # of cells by rules in one pass
MOST_READ = 200_000  # cells whose values a colour scale looks at
_LOOKS = (
    "SELECT kind, top, left, bottom, right, spec FROM sheets_object WHERE file_id = :file AND sheet_id = :sheet"
    " AND kind IN ('banding', 'table', 'conditional_format') ORDER BY position, id"
)
Spec = Mapping[str, Any]  # something with colours under names that are put together
TWINS = {"backgroundColor": "backgroundColorStyle", "foregroundColor": "foregroundColorStyle", "color": "colorStyle"}
_STYLES = {style: plain for plain, style in TWINS.items()}


def rgb(code: str) -> Color:
    """A colour of its hexadecimal code; parts that are 0 are left out, as the vendor does."""
    parts = {name: int(code[place : place + 2], 16) / 255 for name, place in (("red", 0), ("green", 2), ("blue", 4))}
    return {name: part for name, part in parts.items() if part}


# the colours of a new spreadsheet's theme
THEME = {
    "TEXT": rgb("000000"),
    "BACKGROUND": rgb("ffffff"),
    "ACCENT1": rgb("4285f4"),
    "ACCENT2": rgb("ea4335"),
    "ACCENT3": rgb("fbbc04"),
    "ACCENT4": rgb("34a853"),
    "ACCENT5": rgb("ff6d01"),
    "ACCENT6": rgb("46bdc6"),
    "LINK": rgb("1155cc"),
}
# what a table looks like whose colours nobody chose
TABLE = {"headerColorStyle": "356854", "firstBandColorStyle": "ffffff", "secondBandColorStyle": "f6f8f9"}


class Layer(NamedTuple):
    """A source of formats for the cells of an area."""

    area: Area
    look: Callable[[int, int], CellFormat | None]


def effective_formats(book: Spreadsheet, tab: Tab, area: Area) -> dict[Cells, CellFormat]:
    """Return the formats of cells that differ from their own format, without the defaults."""
    closed = area.within(tab.rows, tab.columns)
    below, above = _layers(book, tab, closed)
    if not below and not above:
        return {}
    under, over = _draw_layers(below, closed), _draw_layers(above, closed)
    own = book.formats(tab, closed)
    return {
        at: overlaid(overlaid(under.get(at, {}), own.get(at, {})), over.get(at, {})) for at in sorted({*under, *over})
    }


def _layers(book: Spreadsheet, tab: Tab, area: Area) -> tuple[list[Layer], list[Layer]]:
    """Return the layers below and above the cells' own formats."""
    below: list[Layer] = []
    above: list[Layer] = []
    conditions: Conditions | None = None
    for kind, top, left, bottom, right, text in book.call.all(_LOOKS, {"file": book.file.id, "sheet": tab.id}):
        spec = orjson.loads(text)
        if kind == "conditional_format":
            conditions = conditions or Conditions(book)
            above += _conditional(conditions, tab, area, spec)
            continue
        own = Area(top or 0, left or 0, bottom, right).within(tab.rows, tab.columns)
        if own.meets(area):
            below.append(
                Layer(own, build_band_look(own, spec if kind == "banding" else {"rowProperties": table_colours(spec)}))
            )
    return below, above


def _draw_layers(layers: list[Layer], area: Area) -> dict[Cells, CellFormat]:
    """Draw layers on cells; the first layer with a format for a cell counts."""
    found: dict[Cells, CellFormat] = {}
    left = MOST_TESTS
    for layer in layers:
        for at in places(layer.area, area):
            left -= 1
            if left < 0:
                return found
            look = layer.look(*at) if at not in found else None
            if look:
                found[at] = look
    return found


def places(one: Area, other: Area) -> Iterator[Cells]:
    """Yield the cells two closed areas share."""
    for row in range(max(one.top, other.top), min(one.bottom or 0, other.bottom or 0)):
        for column in range(max(one.left, other.left), min(one.right or 0, other.right or 0)):
            yield row, column


# banding


def table_colours(spec: Spec) -> Spec:
    """Return the row colours of a table, with defaults for those not chosen."""
    chosen = spec.get("rowsProperties") or {}
    return {name: {"rgbColor": rgb(code)} for name, code in TABLE.items()} | chosen


def build_band_look(area: Area, spec: Spec) -> Callable[[int, int], CellFormat | None]:
    """The fill of a banded range's cells: headers and footers first, then first bands, then second ones, rows before
    columns.
    """
    rows, columns = spec.get("rowProperties") or {}, spec.get("columnProperties") or {}

    def look(row: int, column: int) -> CellFormat | None:
        down = _band(rows, row - area.top, (area.bottom or 0) - area.top)
        along = _band(columns, column - area.left, (area.right or 0) - area.left)
        _, colour = min((one for one in (down, along) if one), key=lambda one: one[0], default=(0, None))
        return {"backgroundColorStyle": colour, "backgroundColor": rgb_of(colour)} if colour else None

    return look


def _band(spec: Spec, place: int, count: int) -> tuple[int, ColorStyle] | None:
    """Return the priority and colour of a row or column in a banded range."""
    header, footer = style_at(spec, "headerColor"), style_at(spec, "footerColor")
    if header and place == 0:
        return 0, header
    if footer and place == count - 1:
        return 0, footer
    number = (place - (1 if header else 0)) % 2
    colour = style_at(spec, "secondBandColor" if number else "firstBandColor")
    return (1 + number, colour) if colour else None


def style_at(spec: Spec, name: str) -> ColorStyle | None:
    """A ColorStyle under a name or its older form."""
    style, plain = spec.get(f"{name}Style"), spec.get(name)
    return style or ({"rgbColor": plain} if plain is not None else None)


def rgb_of(style: ColorStyle | None) -> Color:
    """The colour of a ColorStyle."""
    if not style:
        return {}
    return THEME.get(str(style.get("themeColor")), {}) if "themeColor" in style else style.get("rgbColor") or {}


# conditional formats


def _conditional(conditions: Conditions, tab: Tab, area: Area, spec: ConditionalFormatRule) -> list[Layer]:
    """The layers of one rule, a range each."""
    areas = [bounds(one).within(tab.rows, tab.columns) for one in spec.get("ranges") or []]
    near = [one for one in areas if one.meets(area)]
    if not near:
        return []
    if "gradientRule" in spec:
        look = _scale(conditions, tab, areas, spec["gradientRule"])
        return [Layer(one, look) for one in near]
    rule = spec.get("booleanRule") or {}
    seen, origin = AreaValues(conditions.book, tab, area, shown=True), (areas[0].top, areas[0].left)
    test, given = conditions.test(seen, rule.get("condition") or {}, origin), rule.get("format") or {}
    return [Layer(one, lambda row, column: given if test(row, column) else None) for one in near]


def _scale(
    conditions: Conditions, tab: Tab, areas: list[Area], rule: GradientRule
) -> Callable[[int, int], CellFormat | None]:
    """The fill of a colour scale."""
    values = _read_scaled_numbers(conditions.book, tab, areas)
    numbers = sorted(values.values())
    points = [point for point in (rule.get("minpoint"), rule.get("midpoint"), rule.get("maxpoint")) if point]
    stops = (
        [(_stop(conditions, tab, areas[0], point, numbers), rgb_of(style_at(point, "color"))) for point in points]
        if numbers
        else []
    )
    known = [(at, colour) for at, colour in stops if at is not None]

    def look(row: int, column: int) -> CellFormat | None:
        value = values.get((row, column))
        if value is None or not known:
            return None
        colour = _between(known, value)
        return {"backgroundColor": colour, "backgroundColorStyle": {"rgbColor": colour}}

    return look


def _read_scaled_numbers(book: Spreadsheet, tab: Tab, areas: list[Area]) -> dict[Cells, float]:
    """Return the numbers of a rule's cells, up to a limit."""
    found: dict[Cells, float] = {}
    left, last = MOST_READ, book.last(tab)[0] + 1
    for area in areas:
        closed = Area(
            area.top,
            area.left,
            min(area.bottom or 0, last, area.top + max(1, left // max(1, (area.right or 0) - area.left))),
            area.right,
        )
        if (closed.bottom or 0) <= closed.top or left <= 0:
            continue
        for row, line in enumerate(book.read_values(tab, closed), closed.top):
            for column, value in enumerate(line, closed.left):
                if is_number(value):
                    found[row, column] = float(value)  # type: ignore[arg-type]
        left -= ((closed.bottom or 0) - closed.top) * ((closed.right or 0) - closed.left)
    return found


def _stop(
    conditions: Conditions, tab: Tab, area: Area, point: InterpolationPoint, numbers: list[float]
) -> float | None:
    """Return the value of a point on the colour scale."""
    kind = point.get("type")
    if kind in ("MIN", "MAX"):
        return numbers[0] if kind == "MIN" else numbers[-1]
    origin = (area.top, area.left)
    value = conditions.resolve_value(
        AreaValues(conditions.book, tab, area), {"userEnteredValue": point.get("value", "")}, origin, origin
    )
    if not is_number(value):
        return None
    told = float(value)  # type: ignore[arg-type]
    share = min(max(told / 100 if "%" not in str(point.get("value")) else told, 0.0), 1.0)
    if kind == "PERCENT":
        return numbers[0] + (numbers[-1] - numbers[0]) * share
    return _percentile(numbers, share) if kind == "PERCENTILE" else told


def _percentile(numbers: list[float], share: float) -> float:
    place = share * (len(numbers) - 1)
    low = int(place)
    high = min(low + 1, len(numbers) - 1)
    return numbers[low] + (numbers[high] - numbers[low]) * (place - low)


def _between(stops: list[tuple[float, Color]], value: float) -> Color:
    """The colour of a value between the points about it."""
    if value <= stops[0][0]:
        return stops[0][1]
    for (low, first), (high, second) in pairwise(stops):
        if value <= high:
            return _mix_colors(first, second, (value - low) / (high - low) if high > low else 1.0)
    return stops[-1][1]


def _mix_colors(first: Color, second: Color, share: float) -> Color:
    mixed = {
        name: first.get(name, 0) + (second.get(name, 0) - first.get(name, 0)) * share
        for name in ("red", "green", "blue")
    }
    return {name: round(part, 8) for name, part in mixed.items() if part}


# one format over another


def overlaid(base: Mapping[str, object], over: Mapping[str, Any]) -> Any:
    """A format over another, colours as wholes and in both of their forms."""
    out: dict[str, Any] = dict(base)
    for name, value in over.items():
        if name in TWINS:
            out |= {name: value} if TWINS[name] in over else {name: value, TWINS[name]: {"rgbColor": value}}
        elif name in _STYLES:
            out |= {name: value, _STYLES[name]: rgb_of(value)}
        elif isinstance(value, dict) and isinstance(out.get(name), dict):
            out[name] = overlaid(out[name], value)
        else:
            out[name] = value
    return out
