"""Changes of ranges, formulas and descriptions when rows, columns or cells are inserted, deleted, moved or cut."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from apps.sheets.cells import Area
from apps.sheets.structure import formula_references
from apps.sheets.structure.formula_references import Axis, Span
from apps.sheets.structure.grid_ranges import COLUMNS, ROWS, bounds
from apps.sheets.vendor_types import CheckedObject

GONE: object = object()
OFFSETS = ("rows", "columns", "values", "filterSpecs")  # of a pivot table
FORMULAS = ("userEnteredValue", "formulaValue", "formula")


class Change(Protocol):
    """A change of the positions of cells."""

    def formula(self, text: str, own: str) -> str:
        """Return a formula of the sheet `own` after the change."""
        ...

    def area(self, gid: int, area: Area) -> tuple[int, Area] | None:
        """Return an area of a sheet after the change; None when it is gone."""
        ...

    def column(self, gid: int, at: int) -> int | None:
        """Return a whole column's number after the change."""
        ...


@dataclass(frozen=True, slots=True)
class Shift:
    """Rows or columns of a sheet inserted, deleted, or moved before `to`; `band` limits it to the cells within these on
    the other axis.
    """

    gid: int
    title: str
    kind: Literal["insert", "delete", "move"]
    axis: Axis
    start: int
    count: int
    to: int = 0
    band: Span | None = None

    @property
    def end(self) -> int:
        """Behind the last of them."""
        return self.start + self.count

    def formula(self, text: str, own: str) -> str:
        """A formula after it."""
        if self.kind == "insert":
            return formula_references.insert_lines(text, own, self.title, self.axis, self.start, self.count, self.band)
        if self.kind == "delete":
            return formula_references.delete_lines(text, own, self.title, self.axis, self.start, self.count, self.band)
        return formula_references.move_lines(text, own, self.title, self.axis, self.start, self.end, self.to)

    def span(self, low: int, high: int | None) -> Span | None:
        """Return a span (end exclusive, None when open) after the change; None when all of it is gone."""
        if self.kind == "insert":
            return self._grow_span(low, high)
        if self.kind == "delete":
            return self._shrink_span(low, high)
        return self._move_span(low, high)

    def _grow_span(self, low: int, high: int | None) -> Span:
        if high is None and low == 0:
            return low, high
        return low + self.count * (low >= self.start), None if high is None else high + self.count * (high > self.start)

    def _shrink_span(self, low: int, high: int | None) -> Span | None:
        if high is not None and self.start <= low and high <= self.end:
            return None
        low = low - self.count if low >= self.end else min(low, self.start)
        return low, None if high is None else high - self.count if high >= self.end else min(high, self.start)

    def _move_span(self, low: int, high: int | None) -> Span:
        """Move a span along when wholly inside; otherwise take its lines out and put them back in."""
        target = self.to - self.count if self.to > self.start else self.to
        if high is not None and self.start <= low and high <= self.end:
            return low - self.start + target, high - self.start + target
        rest = self._shrink_span(low, high) or (low, high)
        return Shift(self.gid, self.title, "insert", self.axis, target, self.count)._grow_span(*rest)

    def area(self, gid: int, area: Area) -> tuple[int, Area] | None:
        """An area after it."""
        lines, across = ((area.top, area.bottom), (area.left, area.right))[:: 1 if self.axis == "ROWS" else -1]
        if gid != self.gid or not within(across, self.band):
            return gid, area
        span = self.span(*lines)
        if span is None:
            return None
        return gid, (
            Area(span[0], area.left, span[1], area.right)
            if self.axis == "ROWS"
            else Area(area.top, span[0], area.bottom, span[1])
        )

    def column(self, gid: int, at: int) -> int | None:
        """Return a whole column's number after the change."""
        if gid != self.gid or self.axis != "COLUMNS" or self.band is not None:
            return at
        span = self.span(at, at + 1)
        return span and span[0]


@dataclass(frozen=True, slots=True)
class Cut:
    """Cells of an area cut and pasted elsewhere, possibly on another sheet."""

    gid: int
    title: str
    source: Area
    target_gid: int
    target_title: str
    row: int
    col: int

    def formula(self, text: str, own: str) -> str:
        """A formula that stays where it is."""
        return formula_references.move_references(
            text, own, self.title, self.source, self.target_title, self.row, self.col
        )

    def along(self, text: str) -> str:
        """A formula that is taken along."""
        return formula_references.move_references(
            text,
            self.title,
            self.title,
            self.source,
            self.target_title,
            self.row,
            self.col,
            own_after=self.target_title,
        )

    def area(self, gid: int, area: Area) -> tuple[int, Area] | None:
        """An area: taken along when it lies wholly inside."""
        inside = within((area.top, area.bottom), (self.source.top, self.source.bottom)) and within(
            (area.left, area.right), (self.source.left, self.source.right)
        )
        if gid != self.gid or not inside or area.bottom is None or area.right is None:
            return gid, area
        rows, columns = self.row - self.source.top, self.col - self.source.left
        return self.target_gid, Area(area.top + rows, area.left + columns, area.bottom + rows, area.right + columns)

    def column(self, gid: int, at: int) -> int | None:
        """Whole columns stay."""
        return at


@dataclass(frozen=True, slots=True)
class SheetDeleted:
    """Deletion of a sheet."""

    gid: int
    title: str

    def formula(self, text: str, own: str) -> str:
        """References to it are errors."""
        return formula_references.drop_sheet(text, self.title)

    def area(self, gid: int, area: Area) -> tuple[int, Area] | None:
        """Ranges on it are no more."""
        return None if gid == self.gid else (gid, area)

    def column(self, gid: int, at: int) -> int | None:
        """Columns of other sheets stay."""
        return at


@dataclass(frozen=True, slots=True)
class SheetCopied:
    """Copy of a sheet: references to it become references to its copy."""

    gid: int
    title: str
    to_gid: int
    to_title: str

    def formula(self, text: str, own: str) -> str:
        """A formula that names the sheet names the copy."""
        return formula_references.rename_sheet(text, self.title, self.to_title)

    def area(self, gid: int, area: Area) -> tuple[int, Area] | None:
        """The same cells of the copy."""
        return (self.to_gid if gid == self.gid else gid), area

    def column(self, gid: int, at: int) -> int | None:
        """The same column."""
        return at


def within(span: Span, band: Span | None) -> bool:
    """Whether a half-open span lies within a band; everything lies within none."""
    return band is None or (span[0] >= band[0] and (band[1] is None or (span[1] is not None and span[1] <= band[1])))


def update_references(value: object, change: Change, own: str, gid: int, name: str = "") -> Any:
    """A description on sheet `own` with its ranges and formulas as they are after a change; GONE for a range that is no
    more.
    """
    if isinstance(value, list):
        items = [update_references(item, change, own, gid, name) for item in value]
        return [item for item in items if item is not GONE]
    if isinstance(value, str):
        return change.formula(value, own) if name in FORMULAS and value.startswith("=") else value
    return _object(value, change, own, gid, name) if isinstance(value, dict) else value


def _object(value: Mapping[str, Any], change: Change, own: str, gid: int, name: str) -> Any:
    if any(key in value for key in ROWS + COLUMNS):
        return _grid(value, change)
    if "dimension" in value and ("startIndex" in value or "endIndex" in value):
        return _lines(value, change)
    if set(value) <= {"sheetId", "rowIndex", "columnIndex"} and name == "anchorCell":
        return _cell(value, change)
    if name == "criteria":
        value = _by_column(value, change, gid)
    if isinstance(value.get("source"), dict) and isinstance(change, Shift):
        value = _update_pivot_columns(value, change)
    out = {key: update_references(item, change, own, gid, key) for key, item in value.items()}
    kept = {key: item for key, item in out.items() if item is not GONE}
    return _update_column_number(kept, change, gid, name)


def _by_column(value: Mapping[str, object], change: Change, gid: int) -> CheckedObject:
    """Criteria under the numbers of columns."""
    moved = [(change.column(gid, int(key)) if key.isdigit() else key, item) for key, item in value.items()]
    return {str(key): item for key, item in moved if key is not None}


def _update_column_number(value: CheckedObject, change: Change, gid: int, name: str) -> object:
    """Update the column's number in a specification of a filter or of an order."""
    field = {"filterSpecs": "columnIndex", "sortSpecs": "dimensionIndex"}.get(name)
    if field is None or not isinstance(value.get(field, 0), int):
        return value
    at = change.column(gid, value.get(field, 0))
    return GONE if at is None else {**value, field: at}


def _update_pivot_columns(value: Mapping[str, Any], change: Shift) -> Mapping[str, object]:
    """Update a pivot table's columns, named by their distance from the source's first one."""
    gid, area = value["source"].get("sheetId") or 0, bounds(value["source"])
    after = change.area(gid, area)
    if after is None:
        return value

    def offset(old: int) -> int | None:
        column = change.column(gid, area.left + old)
        return None if column is None or not after[1].holds(after[1].top, column) else column - after[1].left

    return {
        key: _offsets(item, offset) if key in OFFSETS and isinstance(item, list) else item
        for key, item in value.items()
    }


def _offsets(items: list[Any], offset: Callable[[int], int | None]) -> list[Any]:
    """Groups, values or filters of a pivot table with the columns they are of, without those whose column is gone."""
    found: list[Any] = []
    for item in items:
        name = next((name for name in ("columnOffsetIndex", "sourceColumnOffset") if name in item), None)
        if name is None and "formula" in item:
            found.append(item)
            continue
        name = name or ("columnOffsetIndex" if "filterCriteria" in item else "sourceColumnOffset")
        at = offset(item.get(name) or 0)
        if at is not None:
            found.append({**item, name: at})
    return found


def update_table_columns(spec: CheckedObject, change: Change, gid: int, old: Area, new: Area) -> CheckedObject:
    """Put a table's columns in another order, with names for those that were put between them."""
    columns = spec.get("columnProperties") or []
    known = {
        at - new.left: column
        for place, column in enumerate(columns)
        if (at := change.column(gid, old.left + place)) is not None
    }
    width = (new.right or 0) - new.left
    if list(known) == list(range(width)) and len(columns) == width:
        return spec
    return {
        **spec,
        "columnProperties": apart([known.get(place, {"columnName": f"Column {place + 1}"}) for place in range(width)]),
    }


def apart(columns: list[CheckedObject]) -> list[CheckedObject]:
    """A table's columns with different names, a number behind those that would be the same."""
    seen: set[str] = set()
    for column in columns:
        name, number = column["columnName"], 1
        while column["columnName"].casefold() in seen:
            number += 1
            column["columnName"] = f"{name} {number}"
        seen.add(column["columnName"].casefold())
    return columns


def _grid(value: Mapping[str, Any], change: Change) -> Any:
    gid, area = value.get("sheetId") or 0, bounds(value)
    found = change.area(gid, area)
    if found is None:
        return GONE
    if found == (gid, area):
        return value
    moved = dict(zip((ROWS[0], COLUMNS[0], ROWS[1], COLUMNS[1]), found[1], strict=True))
    told = {key: at for key, at in moved.items() if at is not None and (at or key in value)}
    return {**{key: item for key, item in value.items() if key not in moved}, "sheetId": found[0], **told}


def _lines(value: Mapping[str, Any], change: Change) -> Any:
    """A DimensionRange."""
    low, high, gid = value.get("startIndex") or 0, value.get("endIndex"), value.get("sheetId") or 0
    is_rows = value["dimension"] == "ROWS"
    area = Area(low, 0, high, None) if is_rows else Area(0, low, None, high)
    found = change.area(gid, area)
    if found is None:
        return GONE
    low, high = (found[1].top, found[1].bottom) if is_rows else (found[1].left, found[1].right)
    return {**value, "startIndex": low, **({} if high is None else {"endIndex": high})}


def _cell(value: Mapping[str, Any], change: Change) -> Any:
    """Return an anchor after a change; if its cell is deleted, the cell that takes its place."""
    row, column, gid = value.get("rowIndex") or 0, value.get("columnIndex") or 0, value.get("sheetId") or 0
    found = change.area(gid, Area(row, column, row + 1, column + 1))
    if isinstance(change, Cut):
        return value
    if found is not None:
        sheet = {"sheetId": found[0]} if found[0] != gid else {}
        return {**value, **sheet, "rowIndex": found[1].top, "columnIndex": found[1].left}
    start = change.start if isinstance(change, Shift) else 0
    is_rows = isinstance(change, Shift) and change.axis == "ROWS"
    return {**value, "rowIndex" if is_rows else "columnIndex": start}
