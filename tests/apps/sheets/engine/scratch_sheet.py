"""A spreadsheet to try formulas on."""

from collections.abc import Mapping, Sequence

from apps.sheets.cells import EMPTY, Area, Entry, Fault, Value
from apps.sheets.engine import Moment
from apps.sheets.engine.workbook import NativeWorkbook

Typed = float | str | bool | None
CORNER = (20, 10)


def entry(value: Typed) -> Entry:
    """What was typed: a text that begins with `=` is a formula."""
    if value is None:
        return EMPTY
    if isinstance(value, bool):
        return Entry("boolean", str(value).upper())
    if isinstance(value, str):
        return Entry("formula" if value.startswith("=") else "text", value)
    return Entry("number", repr(float(value)))


def cells(rows: Sequence[Sequence[Typed]]) -> list[tuple[int, int, Entry]]:
    """A table's cells."""
    return [
        (row, column, entry(value))
        for row, values in enumerate(rows)
        for column, value in enumerate(values)
        if value is not None
    ]


class Desk:
    """An engine with sheets named by title, the first of which has id 0."""

    def __init__(
        self,
        sheets: Mapping[str, Sequence[Sequence[Typed]]],
        names: Mapping[str, tuple[int, Area]] | None = None,
        locale: str = "en_US",
    ) -> None:
        self.book = NativeWorkbook(
            lambda spreadsheet, reference: (
                [[spreadsheet, reference]] if spreadsheet == "open" else Fault("#REF!", "You don't have permission.")
            )
        )
        self.book.at(Moment(now_us=1_772_366_400_000_000, zone="Europe/Berlin", seed=7, locale=locale))
        self.book.load([(index, title, cells(rows)) for index, (title, rows) in enumerate(sheets.items())], names or {})

    def type(self, name: str, value: Typed) -> None:
        """Type into a cell such as `B2` of the first sheet."""
        self.book.put(0, [(int(name[1:]) - 1, ord(name[0]) - 65, entry(value))])

    def cell(self, name: str) -> Value:
        """The value of a cell such as `B2` of the first sheet."""
        return self.book.value(0, int(name[1:]) - 1, ord(name[0]) - 65)

    def all(self, formula: str) -> list[list[Value]]:
        """What a formula fills, typed into a free corner; the corner is free again afterwards."""
        row, column = CORNER
        self.book.put(0, [(row, column, Entry("formula", formula))])
        found = self.book.values(0, Area(row, column, row + 12, column + 8))
        self.book.put(0, [(row, column, EMPTY)])
        assert self.book.native.defects == [], self.book.native.defects
        filled = [[index for index, value in enumerate(line) if value is not None] for line in found]
        height = max((index for index, line in enumerate(filled) if line), default=0) + 1
        width = max((max(line) for line in filled if line), default=0) + 1
        return [line[:width] for line in found[:height]]

    def one(self, formula: str) -> Value:
        """A formula's only value."""
        found = self.all(formula)
        assert [len(line) for line in found] == [1], found
        return found[0][0]

    def refused(self, formula: str) -> tuple[str, str]:
        """Code and sentence of a formula's error."""
        fault = self.one(formula)
        assert isinstance(fault, Fault), fault
        return fault.code, fault.message
