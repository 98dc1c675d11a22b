"""Engine input derived from cells: ranges in place of table references, formulas in place of pivot tables."""

from collections.abc import Iterable, Mapping
from itertools import count

import orjson

from apps.sheets import formats
from apps.sheets.cells import EMPTY, Area, Entry
from apps.sheets.engine import literal
from apps.sheets.grid.stored_cells import StoredCells
from apps.sheets.structure import pivots
from apps.sheets.structure.pivots import LOST, Pivot, Source
from apps.sheets.structure.table_references import Table, expand_table_references
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import NumberFormat

_LAID = (
    "SELECT kind, id, key, name, sheet_id, top, left, bottom, right, spec FROM sheets_object"
    " WHERE file_id = :file AND kind IN ('table', 'pivot_table') AND sheet_id IS NOT NULL ORDER BY kind, id"
)
Typed = list[tuple[int, int, Entry]]


class SpreadsheetTables:
    """The tables and pivot tables of a spreadsheet."""

    def __init__(self, rows: StoredCells, tabs: list[Tab], locale: str, zone: str) -> None:
        self.rows, self.sheets, self.locale, self.zone = rows, tabs, locale, zone
        self.tables: dict[str, Table] = {}
        self.pivots: dict[tuple[int, int, int], Pivot] = {}
        by_id = {tab.id: tab for tab in tabs}
        for kind, id, key, name, sheet, top, left, bottom, right, text in rows.call.all(_LAID, {"file": rows.file}):
            spec, tab = orjson.loads(text), by_id.get(sheet)
            if kind == pivots.KIND:
                self.pivots[sheet, top or 0, left or 0] = Pivot(id, sheet, top or 0, left or 0, spec)
            elif tab is not None:
                area = Area(top or 0, left or 0, bottom, right).within(tab.rows, tab.columns)
                names = tuple(column["columnName"] for column in spec.get("columnProperties") or [])
                footer = "footerColorStyle" in (spec.get("rowsProperties") or {})
                self.tables[name.casefold()] = Table(key, name, sheet, tab.title, area, names, footer)

    def to_engine_cells(self, sheet: int, cells: Typed) -> Typed:
        """Return a sheet's cells as engine input."""
        anchors = {(row, column): pivot for (one, row, column), pivot in self.pivots.items() if one == sheet}
        if self.tables:
            cells = [(row, column, self.strip_table_references(entry)) for row, column, entry in cells]
        if not anchors:
            return cells
        return [one for one in cells if one[:2] not in anchors] + [
            (*at, self.formula(pivot)) for at, pivot in anchors.items()
        ]

    def prepare_cells(self, sheet: int, cells: Iterable[tuple[int, int, Entry]]) -> Typed:
        """Return written cells as engine input."""
        if not self.tables and not self.pivots:
            return list(cells)
        return [(row, column, self.entry(sheet, row, column, entry)) for row, column, entry in cells]

    @property
    def is_any(self) -> bool:
        """Whether there are any."""
        return bool(self.tables or self.pivots)

    def list_overwritten_pivots(self, sheet: int, entries: Mapping[tuple[int, int], Entry]) -> list[Pivot]:
        """List the pivot tables with a written cell."""
        return [
            pivot
            for (one, *at), pivot in self.pivots.items()
            if one == sheet and entries.get((at[0], at[1]), EMPTY).kind
        ]

    def list_pivots_reading(self, tab: Tab, entries: Mapping[tuple[int, int], Entry]) -> list[Pivot]:
        """List the pivot tables that read overwritten names or formats of their source."""
        found: list[Pivot] = []
        for pivot in self.pivots.values():
            source = pivot.spec.get("source")
            if source and (source.get("sheetId") or 0) == tab.gid:
                area = pivots.source_area(pivot.spec, tab.rows, tab.columns)
                found += [pivot] if any(area.holds(*at) and at[0] - area.top < 2 for at in entries) else []
        return found

    def list_renamed_columns(
        self, sheet: int, entries: Mapping[tuple[int, int], Entry]
    ) -> list[tuple[Table, int, str]]:
        """List the table columns whose header was overwritten: the table, the column's number, its new name."""
        found: list[tuple[Table, int, str]] = []
        for table in self.tables.values():
            for place, old in enumerate(table.columns) if table.sheet == sheet else ():
                entry = entries.get((table.area.top, table.area.left + place))
                name = old if entry is None or entry.kind == "formula" else self._name(table, place, entry)
                if name != old:
                    found.append((table, place, name))
        return found

    def _name(self, table: Table, place: int, entry: Entry) -> str:
        """Return the unique name that a header gives its column."""
        wanted = formats.format_value(literal(*entry), None, self.locale) if entry.kind else f"Column {place + 1}"
        others = {name.casefold() for at, name in enumerate(table.columns) if at != place}
        return next(
            name
            for number in count(1)
            if (name := wanted if number == 1 else f"{wanted} {number}").casefold() not in others
        )

    def entry(self, sheet: int, row: int, column: int, entry: Entry) -> Entry:
        """Return the engine input of one cell."""
        pivot = self.pivots.get((sheet, row, column))
        return self.formula(pivot) if pivot else self.strip_table_references(entry)

    def strip_table_references(self, entry: Entry) -> Entry:
        """Replace table references in an entry."""
        return (
            Entry("formula", expand_table_references(entry.input, self.tables))
            if entry.kind == "formula" and self.tables
            else entry
        )

    def formula(self, pivot: Pivot) -> Entry:
        """Return the formula of a pivot table; `#REF!` if it lost its source."""
        source = pivot.spec.get("source")
        tab = next((tab for tab in self.sheets if source and tab.gid == (source.get("sheetId") or 0)), None)
        area = pivots.source_area(pivot.spec, tab.rows, tab.columns) if tab else None
        if tab is None or area is None or (area.bottom or 0) <= area.top or (area.right or 0) <= area.left:
            return LOST
        found = Source(tab.title, area, self._heads(tab, area), self._kinds(tab, area))
        return pivots.entry(pivot.spec, found, self.locale, self.rows.call.now, self.zone)

    def _heads(self, tab: Tab, area: Area) -> list[str]:
        """Return the names of a source's columns, as typed."""
        held = self.rows.cells(tab, area._replace(bottom=area.top + 1))
        entries = [
            held[area.top, column].entry if (area.top, column) in held else EMPTY
            for column in range(area.left, area.right or 0)
        ]
        return [
            "" if entry.kind in ("", "formula") else formats.format_value(literal(*entry), None, self.locale)
            for entry in entries
        ]

    def _kinds(self, tab: Tab, area: Area) -> dict[int, NumberFormat]:
        """Return the number formats of a source's first data row, by column."""
        if (area.bottom or 0) - area.top < 2:
            return {}
        found = self.rows.formats(tab, Area(area.top + 1, area.left, area.top + 2, area.right))
        return {at[1] - area.left: number for at, style in found.items() if (number := style.get("numberFormat"))}
