"""One spreadsheet in one call: its tabs, its cells as typed, and their computed values.

Every change to cells goes through here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import orjson

from apps.sheets import a1
from apps.sheets.cells import LOADING, Area, Entry, Fault, Value
from apps.sheets.engine import Moment, SheetEngine, pool
from apps.sheets.engine.inputs import SpreadsheetTables
from apps.sheets.engine.referenced_formats import ReferencedFormats
from apps.sheets.grid.stored_cells import BLANK, Cell, CellRow, StoredCells, collect_cells
from apps.sheets.structure import pivots, spreadsheet_files
from apps.sheets.structure.table_references import column_renamed
from apps.sheets.structure.tabs import Tab, read_tab
from apps.sheets.vendor_types import CellFormat
from world.core.call import Call
from world.core.errors import OperationError
from world.core.rng import digest

NO_IMPORT = "You don't have permissions to access that sheet."
IMPORTS = "imports"  # what alone a degraded service does not compute, by the fault's reason
MOST_LITERAL = 50_000  # cells of an area that are read without an engine, which reads large ones faster
MOST_WORK = 36_000  # of one batch: cells that its requests change, and what other requests cost in cells
MOST_CELLS = 10_000_000  # support.google.com/drive/answer/37603
_SHEETS = (
    "SELECT id, gid, title, position, rows, columns, frozen_rows, frozen_columns, hidden, properties FROM sheets_sheet"
    " WHERE file_id = :file ORDER BY position, id"
)
_FORMULAS = "SELECT row, col, input FROM sheets_cell WHERE sheet_id = :sheet AND kind = 'formula' ORDER BY row, col"
_ADD_OBJECT = (
    "INSERT INTO sheets_object(id, file_id, sheet_id, kind, key, name, position, top, left, bottom, right, spec)"
    " VALUES (:id, :file, :sheet, :kind, :key, :name, :position, :top, :left, :bottom, :right, :spec)"
)
_NAME_COLUMN = (
    "UPDATE sheets_object SET spec = json_set(spec, :at, :name) WHERE file_id = :file AND kind = 'table' AND key = :key"
)


class Spreadsheet:
    """A spreadsheet opened for a call, used in `with`. Raises not_found, forbidden, not_a_spreadsheet when it cannot
    be.
    """

    def __init__(self, call: Call, key: str, rule: str = "file.read") -> None:
        self.call, self.file = call, spreadsheet_files.spreadsheet(call, key, rule)
        self.rows = StoredCells(call, self.file.id)
        self._changes: list[tuple[object, ...]] = []
        self._state = ""  # named for these changes, once asked for
        self._work = 0

    def __enter__(self) -> "Spreadsheet":
        return self

    def __exit__(self, failed: object, *_: object) -> None:
        if failed is None:
            self._close()

    @cached_property
    def own(self) -> tuple[str, str, dict[str, Any], str]:
        """Locale, time zone, further properties, state."""
        sql = "SELECT locale, time_zone, properties, state FROM sheets_spreadsheet WHERE file_id = :file"
        locale, zone, properties, state = self.call.first(sql, {"file": self.file.id}) or ("en_US", "Etc/GMT", None, "")
        return locale, zone, orjson.loads(properties) if properties else {}, state

    @property
    def locale(self) -> str:
        """Its locale, `en_US`."""
        return self.own[0]

    @property
    def zone(self) -> str:
        """Its time zone, by its name in the zone database."""
        return self.own[1]

    def claim(self, work: int) -> None:
        """Count work of a call before it is done. Raises bad_request."""
        self._work += work
        if self._work > MOST_WORK:
            raise OperationError(
                "bad_request", problem=f"This action would change more than {MOST_WORK} cells at once. Do less at once."
            )

    # tabs

    @cached_property
    def tabs(self) -> list[Tab]:
        """Its sheets in order."""
        rows = self.call.all(_SHEETS, {"file": self.file.id})
        return [read_tab(row) for row in rows]

    def tab(self, gid: int) -> Tab:
        """The sheet of the vendor's number. Raises no_sheet."""
        found = next((tab for tab in self.tabs if tab.gid == gid), None)
        if found is None:
            raise OperationError("no_sheet", gid=gid)
        return found

    def find_tab(self, title: str) -> Tab | None:
        """Find the sheet of a title; letter case does not count."""
        return next((tab for tab in self.tabs if tab.title == title), None) or next(
            (tab for tab in self.tabs if tab.title.casefold() == title.casefold()), None
        )

    @cached_property
    def names(self) -> dict[str, tuple[int, Area]]:
        """Named ranges by their names in lower case: sheet row id and area."""
        sql = (
            "SELECT name, sheet_id, top, left, bottom, right FROM sheets_object WHERE file_id = :file AND kind ="
            " 'named_range' ORDER BY id"
        )
        return {
            row[0].lower(): (row[1], Area(row[2] or 0, row[3] or 0, row[4], row[5]))
            for row in self.call.all(sql, {"file": self.file.id})
        }

    def locate(self, text: str) -> tuple[Tab, Area]:
        """The sheet and the cells an A1 text means, closed at the sheet's edge. Raises bad_range, beyond_grid."""
        whole = next((tab for tab in self.tabs if tab.title == text), None)
        try:
            found = a1.parse(text)
        except a1.BadRange:
            if whole is None:
                raise OperationError("bad_range", range=text) from None
            return whole, self.on_grid(whole, Area(0, 0, None, None))
        # a title that is a reference is read as one: github.com/robin900/gspread-dataframe/issues/54,
        # github.com/burnash/gspread/issues/554
        if whole is not None and found.area is None:
            return whole, self.on_grid(whole, Area(0, 0, None, None))
        if found.name is not None and found.sheet is None and self.find_tab(found.name) is None:
            return self._resolve_named_range(found.name, text)
        title = found.sheet if found.name is None else found.name
        tab = (
            self.find_tab(title)
            if title is not None
            else next((tab for tab in self.tabs if not tab.hidden), self.tabs[0])
        )
        if tab is None or (found.name is not None and found.sheet is not None):
            raise OperationError("bad_range", range=text)
        return tab, self.on_grid(tab, found.area or Area(0, 0, None, None))

    def _resolve_named_range(self, name: str, text: str) -> tuple[Tab, Area]:
        known = self.names.get(name.lower())
        tab = known and next((tab for tab in self.tabs if tab.id == known[0]), None)
        if not known or not tab:
            raise OperationError("bad_range", range=text)
        return tab, known[1].within(tab.rows, tab.columns)

    def on_grid(self, tab: Tab, area: Area) -> Area:
        """An area that begins on the sheet, closed at its edge. Raises beyond_grid, bad_range."""
        if not tab.is_grid:
            raise OperationError("bad_range", range=tab.title)
        if area.top >= tab.rows or area.left >= tab.columns:
            raise OperationError(
                "beyond_grid", range=a1.text(tab.title, area, tab.rows, tab.columns), rows=tab.rows, columns=tab.columns
            )
        return area.within(tab.rows, tab.columns)

    # what was typed

    def cells(self, tab: Tab, area: Area) -> dict[tuple[int, int], Cell]:
        """The cells of an area that hold anything, in order."""
        return self.rows.cells(tab, area)

    def list_stored_cells(self, tab: Tab) -> Sequence[CellRow]:
        """Row, column, kind, input, format, note, validation, runs of every cell that holds anything, in order."""
        return self.rows.list_stored_cells(tab)

    def last(self, tab: Tab) -> tuple[int, int]:
        """The last row and the last column that hold something, -1 on an empty sheet."""
        return self.rows.last(tab)

    def list_filled(self, tab: Tab) -> list[tuple[int, int]]:
        """The places that hold something, in order."""
        return self.rows.list_filled(tab)

    def formats(self, tab: Tab, area: Area) -> dict[tuple[int, int], CellFormat]:
        """The formats of an area's cells that have one; equal ones are one object."""
        self._formatted = (tab.id, area), self.rows.formats(tab, area)
        return self._formatted[1]

    def put(
        self, tab: Tab, cells: Iterable[tuple[int, int, Cell]], known: Mapping[tuple[int, int], Cell] | None = None
    ) -> None:
        """Write whole cells; blank ones are deleted, and `known` equal ones are skipped.

        Raises bad_request for more than a call's record holds.
        """
        if known is not None:
            cells = (one for one in cells if known.get(one[:2], BLANK) != one[2])
        written = collect_cells(cells)
        if not written:
            return
        if self._engine is None and pool.is_warm(self._content_key, self._now_state()):
            self._engine = self.engine
        self.rows.write(tab, written)
        entries = [(row, column, cell[0]) for row, column, cell in written]
        if known is not None:
            entries = [one for one in entries if known.get(one[:2], BLANK)[0] != one[2]]
        self.note("put", tab.id, len(written), [(row, column, *entry) for row, column, entry in entries])
        if self._engine is not None and entries:
            self._engine.put(tab.id, self.prepared.prepare_cells(tab.id, entries))
        self._follow(tab, written)

    def _follow(self, tab: Tab, written: Sequence[tuple[int, int, Cell]]) -> None:
        """Update tables and pivot tables after cells were written."""
        entries = {(row, column): cell[0] for row, column, cell in written} if self.prepared.is_any else {}
        for pivot in self.prepared.list_overwritten_pivots(tab.id, entries):
            self.call.execute("DELETE FROM sheets_object WHERE id = :id", {"id": pivot.id})
            self.note("drop", pivots.KIND, pivot.id)
        for pivot in self.prepared.list_pivots_reading(tab, entries) if self._engine is not None else ():
            self.engine.put(pivot.sheet, [(pivot.row, pivot.column, self.prepared.formula(pivot))])
        for table, old, new in self.prepared.list_renamed_columns(tab.id, entries):
            self.call.execute(
                _NAME_COLUMN,
                {"file": self.file.id, "key": table.key, "at": f"$.columnProperties[{old}].columnName", "name": new},
            )
            self.rewrite(partial(_with_column, table.name, table.columns[old], new))
            self.note("object", "table", table.key, old, new)

    def enter(self, tab: Tab, entries: Iterable[tuple[int, int, Entry]]) -> None:
        """Change the content of cells and keep their formats."""
        wanted = list(entries)
        if wanted:
            known = self.cells(tab, _around(wanted))
            self.put(
                tab,
                [
                    (row, column, known.get((row, column), BLANK)._replace(entry=entry, runs=None))
                    for row, column, entry in wanted
                ],
            )

    # what it computes to

    _engine: SheetEngine | None = None
    _outside = pool.Outside()

    @property
    def engine(self) -> SheetEngine:
        """The engine with this content, at this moment."""
        if self._engine is None:
            self._engine, self._outside = pool.take(self._content_key, self._now_state(), self._load)
            self._outside.reach, self._outside.look = self._import_range, self._looks
            self._engine.set_sizes(self._sizes)
            self._engine.at(Moment(self.call.now, self.zone, self.call.rng.seed, self.locale))
        return self._engine

    @property
    def _content_key(self) -> str:
        """Its key and the numbers of its sheets: another image of the company may number them otherwise."""
        return f"{self.file.key} {' '.join(str(tab.id) for tab in self.tabs)}"

    @property
    def _sizes(self) -> dict[int, tuple[int, int]]:
        """Numbers of rows and columns of its sheets."""
        return {tab.id: (tab.rows, tab.columns) for tab in self.tabs}

    @cached_property
    def prepared(self) -> SpreadsheetTables:
        """Its tables and pivot tables."""
        return SpreadsheetTables(self.rows, self.tabs, self.locale, self.zone)

    _formatted: tuple[tuple[int, Area], dict[tuple[int, int], CellFormat]] | None = None

    @cached_property
    def _looks(self) -> ReferencedFormats:
        return ReferencedFormats(self._window)

    def _window(self, sheet: int, area: Area) -> Mapping[tuple[int, int], CellFormat]:
        """The formats of an area's cells, taken from what was read last where that is the same."""
        tab = next((tab for tab in self.tabs if tab.id == sheet), None)
        closed = area.within(tab.rows, tab.columns) if tab else area
        if tab is None or closed.top >= (closed.bottom or 0) or closed.left >= (closed.right or 0):
            return {}
        return (
            self._formatted[1]
            if self._formatted and self._formatted[0] == (tab.id, closed)
            else self.formats(tab, closed)
        )

    def _import_range(self, key: str, text: str) -> list[list[Value]] | Fault:
        """Return a range of another spreadsheet for IMPORTRANGE, if the caller may read and export it."""
        try:
            if self.call.degraded == IMPORTS:
                return LOADING
            with Spreadsheet(self.call, key, "file.export") as other:
                return other.values(*other.locate(text))
        except OperationError as error:
            return Fault(
                "#REF!",
                (
                    NO_IMPORT
                    if error.code in ("not_found", "forbidden")
                    else "Cannot find range or sheet for imported range."
                ),
            )

    def _load(self, engine: SheetEngine) -> None:
        sheets = [
            (tab.id, tab.title, self.prepared.to_engine_cells(tab.id, self.rows.list_entries(tab))) for tab in self.tabs
        ]
        engine.set_sizes(self._sizes)
        engine.load(sheets, self.names)

    def values(self, tab: Tab, area: Area) -> list[list[Value]]:
        """Return the computed values of a closed area's cells."""
        return self.rows.literals(tab, area) if self._is_literal(tab, area) else self.engine.values(tab.id, area)

    def read_values(self, tab: Tab, area: Area) -> list[list[Value]]:
        """Return the displayed values of a closed area; during an outage, computed cells show `Loading...`."""
        values = self.values(tab, area)
        if self.call.degraded != "":
            return values
        kinds = self.rows.kinds(tab, area)
        return [
            [
                LOADING if _computes(kinds.get((row, column)), value) else value
                for column, value in enumerate(line, area.left)
            ]
            for row, line in enumerate(values, area.top)
        ]

    def hints(self, tab: Tab, area: Area) -> Callable[[int, int], str]:
        """Return the display hints of formulas in an area; see SheetEngine.hint."""
        return _no_hint if self._is_literal(tab, area) else partial(self.engine.hint, tab.id)

    def _is_literal(self, tab: Tab, area: Area) -> bool:
        """Whether to read an area from its rows: no formula is in it or can fill it, and no engine is loaded."""
        size = ((area.bottom or 0) - area.top) * ((area.right or 0) - area.left)
        state = self._now_state() if self._engine is None and size <= MOST_LITERAL else ""
        if not state or pool.is_warm(self._content_key, state):
            return False
        first = pool.formulas(self._content_key, state, tab.id, lambda: self._first(tab))
        return not first or (
            tab.is_natural and all(column >= (area.right or 0) or row >= (area.bottom or 0) for column, row in first)
        )

    def _first(self, tab: Tab) -> list[Sequence[int]]:
        """Columns with formulas or pivot tables, and the first row of each that has one."""
        anchors = [(column, row) for sheet, row, column in self.prepared.pivots if sheet == tab.id]
        return [*self.rows.first_formulas(tab), *anchors]

    # its shape

    def reshape(self) -> None:
        """Reload tabs and names, and let the engine load again, after a change of the spreadsheet's shape."""
        self._engine = None
        for name in ("tabs", "names", "own", "prepared"):
            self.__dict__.pop(name, None)

    def rewrite(self, change: Callable[[str, Tab], str]) -> None:
        """Rewrite every formula of the spreadsheet; `change` gets the formula and its sheet."""
        for tab in self.tabs:
            held = self.call.all(_FORMULAS, {"sheet": tab.id})
            new = [(change(text, tab), tab.id, row, column) for row, column, text in held]
            moved = [one for one, (_, _, text) in zip(new, held, strict=True) if one[0] != text]
            if moved:
                self.call.bound.raw.executemany(
                    "UPDATE sheets_cell SET input = ? WHERE sheet_id = ? AND row = ? AND col = ?", moved
                )
                self.note("rewrite", moved)
        self._engine = None

    def add_object(
        self,
        kind: str,
        tab: Tab | None,
        area: Area | None,
        spec: dict[str, Any],
        *,
        key: str = "",
        name: str = "",
        position: int = 0,
    ) -> str:
        """Add an object on a range; its key is a random number unless given."""
        bounds = area or (None, None, None, None)
        values = {
            "id": (self.call.scalar("SELECT max(id) FROM sheets_object") or 0) + 1,
            "file": self.file.id,
            "sheet": tab and tab.id,
            "kind": kind,
            "key": key or self.call.ids.digits(9),
            "name": name,
            "position": position,
            "spec": orjson.dumps(spec, option=orjson.OPT_SORT_KEYS).decode(),
            "top": bounds[0],
            "left": bounds[1],
            "bottom": bounds[2],
            "right": bounds[3],
        }
        self.call.execute(_ADD_OBJECT, values)
        self.note("object", kind, values["key"], list(bounds), spec)
        return str(values["key"])

    # the end of a change

    def note(self, *what: object) -> None:
        """Record a change: the content has a new state."""
        self._changes.append(what)
        self._state, self._formatted = "", None
        self._looks.windows.clear()
        if what[0] in ("object", "drop") and what[1] in ("table", pivots.KIND):
            self._engine = None
            self.__dict__.pop("prepared", None)

    def _now_state(self) -> str:
        if not self._changes:
            return self.own[3]
        self._state = (
            self._state or digest(self.file.key, self.own[3], orjson.dumps(self._changes, default=list).hex()).hex()
        )
        return self._state

    def _close(self) -> None:
        """Save the changes to the file, and give the engine back for the next use of this content."""
        state = self._now_state()
        if self._changes:
            self._stamp(state)
        if self._engine is not None:
            pool.give(self._content_key, state, self._engine, self._outside)
            self._engine = None

    def _stamp(self, state: str) -> None:
        """The file's time and author, and the name of its new content."""
        self.call.execute(
            "UPDATE sheets_spreadsheet SET state = :state WHERE file_id = :file", {"state": state, "file": self.file.id}
        )
        self.call.execute(
            "UPDATE drive_file SET modified_at = :now, modified_by = :me, version = version + 1 WHERE id = :file",
            {"now": self.call.now, "me": self.call.person, "file": self.file.id},
        )


def _computes(kind: str | None, value: Value) -> bool:
    """Whether a cell's value comes from a formula: its own, or one that fills it."""
    return kind == "formula" or (kind is None and value is not None)


def _with_column(table: str, old: str, new: str, formula: str, _: Tab) -> str:
    return column_renamed(formula, table, old, new)


def _no_hint(row: int, column: int) -> str:
    return ""


def _around(cells: Sequence[tuple[int, int, object]]) -> Area:
    """Return the smallest area that contains cells."""
    rows, columns = [cell[0] for cell in cells], [cell[1] for cell in cells]
    return Area(min(rows), min(columns), max(rows) + 1, max(columns) + 1)
