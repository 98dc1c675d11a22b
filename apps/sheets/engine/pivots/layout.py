"""Layout of a pivot table: its cells, and the number format of each.

developers.google.com/workspace/sheets/api/guides/pivot-tables shows one with rows and columns; tests pin the cases it
does not show (several groups across, several values, names of totals).
"""

from collections.abc import Callable, Mapping
from typing import Any

from apps.sheets.cells import Fault, Value
from apps.sheets.engine.pivots.axes import Axis, Line, Record, cross_lines
from apps.sheets.engine.pivots.filters import filter_rows
from apps.sheets.engine.pivots.groups import Spec, to_plain_text
from apps.sheets.engine.pivots.summaries import summarize_values

GRAND, PERCENT = "Grand Total", "PERCENT"
Formula = Callable[[list[Record]], Value]
Cells = list[tuple[Value, str]]  # of one row: value, and the kind of number or nothing
BLANK: tuple[Value, str] = (None, "")


class Table:
    """A pivot table of a definition and its source's rows, the first of which has the column names."""

    def __init__(self, spec: Spec, rows: list[Record], locale: str, formulas: Mapping[int, Formula]) -> None:
        self.spec, self.formulas = spec, formulas
        self.heads = [to_plain_text(value) for value in rows[0]] if rows else []
        self.rows, self.columns, self.values = (spec.get(name) or [] for name in ("rows", "columns", "values"))
        records = filter_rows(spec, [list(row) for row in rows[1:]], locale)
        self.down = Axis(self.rows, self.columns, self.measure).lines(records)
        self.across = Axis(self.columns, self.rows, self.measure).lines(records)
        self.all, self.crossed = records, cross_lines(self.down, self.across)
        self.names = [self._name(number, value) for number, value in enumerate(self.values)]
        self.is_vertical = spec.get("valueLayout") == "VERTICAL" and len(self.values) > 1

    # what it says

    def cells(self) -> list[Cells]:
        """Return the cells row by row, all of one length."""
        lines = [*self._header(), *self._body()]
        width = max(map(len, lines), default=1) or 1
        return [line + [BLANK] * (width - len(line)) for line in lines] or [[BLANK]]

    def _labels(self) -> list[str]:
        """Return the labels above the row names."""
        labels = [self._label(group) for group in self.rows]
        if self.is_vertical:
            return [*labels, "Values"]
        return labels or ([""] if self.columns else [])

    def _header(self) -> list[Cells]:
        labels: Cells = [(label or None, "") for label in self._labels()]
        names: Cells = [(name, "") for name in self.names]
        if not self.columns:
            return [labels + ([] if self.is_vertical else names)]
        empty: Cells = [BLANK] * len(labels)
        first: Cells = [(self.names[0] if len(self.names) == 1 and self.rows else None, ""), *empty[1:]]
        levels: list[Cells] = [[*empty, *self._across(level)] for level in range(len(self.columns))]
        if self._step > 1:
            levels.append([*empty, *[BLANK if line.is_grand else name for line in self.across for name in names]])
        levels[-1][: len(labels)] = labels
        return [[*first, *[(self._label(group), "") for group in self.columns]], *levels]

    @property
    def _step(self) -> int:
        """Number of columns of a line across."""
        return 1 if self.is_vertical else max(len(self.values), 1)

    def _across(self, level: int) -> Cells:
        """Return the distinct names of the groups of one level."""
        found: Cells = []
        shown: tuple[Any, ...] = ()
        for line in self.across:
            here = line.path[: level + 1]
            total = line.is_total and level == max(len(line.path) - 1, 0)
            cell = (
                self._total(line)
                if total
                else BLANK
                if len(line.path) <= level or here == shown
                else self._label_of(line, level, self.columns)
            )
            shown = here
            found += [cell, *[BLANK] * (self._step - 1)]
            if line.is_grand and level == 0 and self._step > 1:
                found[-self._step :] = [(f"Total {name}", "") for name in self.names]
        return found

    def _body(self) -> list[Cells]:
        lines: list[Cells] = []
        shown: tuple[Any, ...] = ()
        for number, line in enumerate(self.down):
            labels = self._beside(line, shown)
            shown = line.path
            if not self.is_vertical:
                lines.append(
                    [
                        *labels,
                        *[
                            cell
                            for other in range(len(self.across))
                            for cell in self._list_crossing_values(number, other)
                        ],
                    ]
                )
                continue
            for index, name in enumerate(self.names):
                first: Cells = labels if index == 0 and not line.is_grand else [BLANK] * len(labels)
                if line.is_grand:
                    first = [(f"Total {name}", ""), *first[1:]]
                values = [self._list_crossing_values(number, other)[index] for other in range(len(self.across))]
                lines.append([*first, (None if line.is_grand else name, ""), *values])
        return lines

    def _beside(self, line: Line, shown: tuple[object, ...]) -> Cells:
        """Return the names of a row's groups: those that differ from the row above, or all where names are repeated."""
        if not self.rows:
            only: Cells = [(self.names[0] if len(self.names) == 1 else None, "")]
            return only if self.columns and not self.is_vertical else []
        cells = [BLANK] * len(self.rows)
        for level in range(len(line.path)):
            if line.path[: level + 1] != shown[: level + 1] or self.rows[level].get("repeatHeadings"):
                cells[level] = self._label_of(line, level, self.rows)
        if line.is_total:
            cells[max(len(line.path) - 1, 0)] = self._total(line)
        return cells

    def _label_of(self, line: Line, level: int, groups: list[Spec]) -> tuple[Value, str]:
        return line.path[level].label, "" if groups[level].get("groupRule") else self._kind(groups[level])

    def _total(self, line: Line) -> tuple[Value, str]:
        return (f"{line.path[-1].text} Total" if line.path else GRAND), ""

    def _list_crossing_values(self, number: int, other: int) -> Cells:
        """Return the values where a row and a column cross."""
        records = self.crossed.get((number, other))
        return [self._value(index, records, self.down[number], self.across[other]) for index in range(len(self.values))]

    def _value(self, index: int, records: list[Record] | None, row: Line, column: Line) -> tuple[Value, str]:
        if records is None:
            return BLANK
        value, told = self.values[index], self.measure(index, records)
        whole = {"ROW": row.records, "COLUMN": column.records, "GRAND": self.all}.get(_share(value))
        if whole is None:
            return told, (
                self._kind(value)
                if "formula" not in value and not str(value.get("summarizeFunction")).startswith("COUNT")
                else ""
            )
        total = self.measure(index, whole)
        if isinstance(told, Fault) or not isinstance(total, float) or not isinstance(told, float):
            return told, ""
        return (told / total if total else Fault("#DIV/0!", "Division by zero.")), PERCENT

    # what it computes

    def measure(self, index: int, records: list[Record]) -> Value:
        """Compute a value of the definition for records."""
        if index >= len(self.values):
            return None
        value = self.values[index]
        if index in self.formulas:
            return self.formulas[index](records)
        offset = value.get("sourceColumnOffset") or 0
        return summarize_values(value.get("summarizeFunction") or "SUM", [record[offset] for record in records])

    def _kind(self, of: Spec) -> str:
        """Return the number format of a column of the source."""
        return ((self.spec.get("kinds") or {}).get(str(of.get("sourceColumnOffset") or 0)) or {}).get("type") or ""

    def _label(self, group: Spec) -> str:
        return group.get("label") or self._head(group)

    def _head(self, of: Spec) -> str:
        offset = of.get("sourceColumnOffset") or 0
        return self.heads[offset] if offset < len(self.heads) else ""

    def _name(self, number: int, value: Spec) -> str:
        """Return a value's name: as given, else from its function and column."""
        calculated = sum("formula" in one for one in self.values[: number + 1])
        usual = (
            f"Calculated Field {calculated}"
            if "formula" in value
            else f"{value.get('summarizeFunction') or 'SUM'} of {self._head(value)}"
        )
        return value.get("name") or usual


def _share(value: Spec) -> str:
    """Return ROW, COLUMN or GRAND for a value shown as a share of that total; else empty."""
    kind = value.get("calculatedDisplayType") or ""
    return kind.removeprefix("PERCENT_OF_").removesuffix("_TOTAL") if kind.startswith("PERCENT_OF_") else ""
