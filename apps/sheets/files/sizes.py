"""Readers of small parts of a worksheet: sizes of rows and columns, text runs, filters."""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.sheets.cells import Area
from apps.sheets.files import styles
from apps.sheets.files.content import Placed, Size
from apps.sheets.files.markup import Node, real, unescape_text
from world.core.json_types import JsonObject

PIXELS_OF_A_DIGIT = 7  # of the usual font; ECMA-376 part 1, 18.3.1.13
POINTS_OF_A_PIXEL = 0.75
MOST_PIXELS = 2000
MOST_COLUMNS = 1000  # a file's columns that are looked at one by one
_NUMBERS = {
    "equal": "NUMBER_EQ",
    "notEqual": "NUMBER_NOT_EQ",
    "greaterThan": "NUMBER_GREATER",
    "lessThan": "NUMBER_LESS",
    "greaterThanOrEqual": "NUMBER_GREATER_THAN_EQ",
    "lessThanOrEqual": "NUMBER_LESS_THAN_EQ",
}


def read_sizes(
    root: Node, rows: Mapping[int, Mapping[str, str]], kept: Mapping[str, Any], filtered: Area | None
) -> list[Size]:
    """Read rows and columns with a non-default size."""
    flags = kept.get("hidden") if isinstance(kept.get("hidden"), dict) else {}
    made = [_row(at, said, flags or {}, filtered) for at, said in rows.items()]
    for node in root.find("cols").all("col")[:MOST_COLUMNS]:
        first, last = node.number("min") - 1, min(node.number("max"), MOST_COLUMNS)
        wide = round(real(node.get("width")) * PIXELS_OF_A_DIGIT)
        size = wide if node.flag("customWidth") and 0 < wide <= MOST_PIXELS else None
        if size is not None or node.flag("hidden"):
            made += [Size("COLUMNS", at, size, node.flag("hidden")) for at in range(max(first, 0), last)]
    known = {(size.axis, size.at): size for size in made if size.size is not None or size.hidden or size.filtered}
    return list(known.values())


def _row(at: int, said: Mapping[str, str], flags: Mapping[str, object], filtered: Area | None) -> Size:
    high = round(real(said.get("ht")) / POINTS_OF_A_PIXEL)
    size = high if said.get("customHeight") in ("1", "true") and 0 < high <= MOST_PIXELS else None
    if said.get("hidden") not in ("1", "true"):
        return Size("ROWS", at, size)
    flag = flags.get(str(at))
    if flag in ("h", "f", "hf"):
        return Size("ROWS", at, size, "h" in flag, "f" in flag)
    inside = filtered is not None and filtered.top < at and (filtered.bottom is None or at < filtered.bottom)
    return Size("ROWS", at, size, not inside, inside)


# runs of text


def units(text: str) -> int:
    """Return the length of a text as the vendor counts it, in UTF-16."""
    return len(text) + sum(mark > "\uffff" for mark in text)


def _insides(text: str) -> set[int]:
    """Return the positions of second surrogate halves in the UTF-16 form of a text."""
    found: set[int] = set()
    if not text.isascii():
        at = 0
        for mark in text:
            at += 1
            if mark > "\uffff":
                found.add(at)
                at += 1
    return found


def runs(node: Node, theme: Sequence[str]) -> tuple[str, list[tuple[int, styles.Font]]]:
    """Return the text of a rich string, and the fonts of its runs by their starts."""
    text, made = "", []
    for part in node.all("r"):
        font = styles.read_font(part.find("rPr"), theme)
        font = font._replace(
            family="" if font.family == styles.BASE_FAMILY else font.family,
            size=0 if font.size == styles.BASE_SIZE else font.size,
        )
        made.append((units(text), font._replace(colour="" if font.colour == "000000" else font.colour)))
        text += unescape_text(part.find("t").text)
    return text, made


def runs_said(text: str, kept: Sequence[Mapping[str, Any]]) -> list[tuple[int, styles.Font]]:
    """Convert textFormatRuns for a file: the first run starts at 0, none is empty, none starts inside a character."""
    inside = _insides(text)
    starts = [(int(run.get("startIndex", 0)), styles.font_of(run.get("format") or {})) for run in kept]
    starts = [(min(start + (start in inside), units(text)), font) for start, font in starts]
    if not starts or starts[0][0] > 0:
        starts.insert(0, (0, styles.Font()))
    ends = [start for start, _ in starts[1:]] + [units(text)]
    return [one for one, end in zip(starts, ends, strict=True) if one[0] < end]


# filters


def list_filtered_columns(spec: Mapping[str, Any], area: Area) -> list[int]:
    """Return the columns with a filter, counted within it."""
    named = {int(key) for key in spec.get("criteria") or {}} | {
        int(one.get("columnIndex", 0)) for one in spec.get("filterSpecs") or []
    }
    return sorted(
        column - area.left for column in named if area.left <= column and (area.right is None or column < area.right)
    )


def filter_spec(node: Node, area: Area, cells: Sequence[Placed]) -> dict[str, object]:
    """Convert a file's filter to the vendor's: hidden values, comparisons."""
    criteria: dict[str, object] = {}
    for child in node.all("filterColumn")[:MOST_COLUMNS]:
        column = area.left + child.number("colId")
        found = _criterion(child, column, area, cells)
        if found:
            criteria[str(column)] = found
    return {"criteria": criteria} if criteria else {}


def _criterion(node: Node, column: int, area: Area, cells: Sequence[Placed]) -> JsonObject:
    listed, custom = node.find("filters"), node.find("customFilters").all("customFilter")
    if listed.all("filter"):
        shown = {child.get("val") for child in listed.all("filter")}
        held = {
            text
            for row, at, kind, text, _ in cells
            if at == column and area.top < row and area.holds(row, at) and kind in ("text", "number")
        }
        return {"hiddenValues": sorted(held - shown)}
    kind = _NUMBERS.get(custom[0].get("operator", "equal")) if len(custom) == 1 else None
    return {"condition": {"type": kind, "values": [{"userEnteredValue": custom[0].get("val")}]}} if kind else {}
