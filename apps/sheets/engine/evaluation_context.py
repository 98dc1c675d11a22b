"""Context of a formula: the spreadsheet it belongs to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from apps.sheets.cells import Fault, Value
from apps.sheets.engine.compile import Compiler
from apps.sheets.engine.evaluation_time import Moment
from apps.sheets.engine.native_calls import Scratch
from apps.sheets.engine.tree import Place
from apps.sheets.engine.values import Result, formula_error


class OtherSpreadsheets(Protocol):
    """Answers IMPORTRANGE."""

    def __call__(self, spreadsheet: str, reference: str, /) -> list[list[Value]] | Fault:
        """Return a range of a spreadsheet (url or id), by permission."""
        ...


class FormulaText(Protocol):
    """A formula as typed."""

    text: str


@dataclass(slots=True)
class SpreadsheetContext:
    """A spreadsheet as its formulas see it; `sizes` are rows and columns of its sheets where known."""

    moment: Moment
    titles: Mapping[int, str]
    compiler: Compiler
    formulas: Mapping[tuple[int, int, int], FormulaText]
    import_range: OtherSpreadsheets
    sizes: dict[int, tuple[int, int]] = field(default_factory=dict)
    scratch: Scratch = field(default_factory=Scratch)

    def resolve(self, reference: str, sheet: int) -> Place:
        """Return the place of a reference's text."""
        program = self.compiler.program("=" + reference, 0, 0)
        place = program.references[0].place(sheet, 0, 0) if len(program.references) == 1 and not program.hint else None
        if place is None:
            raise formula_error(
                "#REF!",
                f"Function INDIRECT parameter 1 value is '{reference}'. It is not a valid cell/range reference.",
            )
        return place

    def formula_text(self, sheet: int, row: int, column: int) -> str:
        """Return the formula typed in a cell; empty for none."""
        formula = self.formulas.get((sheet, row, column))
        return formula.text if formula else ""

    def title(self, sheet: int) -> str:
        """Return a sheet's title."""
        return self.titles.get(sheet, "")

    def count(self) -> int:
        """Return the number of sheets."""
        return len(self.titles)

    def position(self, sheet: int) -> int:
        """Return a sheet's position among the sheets, from 1."""
        return list(self.titles).index(sheet) + 1

    def clip_to_sheet(self, place: Place) -> Place:
        """Clip the open sides of a place to its sheet."""
        area, size = place.area, self.sizes.get(place.sheet)
        return (
            place
            if size is None or (area.bottom is not None and area.right is not None)
            else Place(place.sheet, area.within(*size))
        )

    def delegate(self, name: str, arguments: Sequence[Result]) -> Result:
        """Compute a function with the native engine."""
        return self.scratch.call(name, arguments)

    def outside(self, spreadsheet: str, reference: str) -> list[list[Value]] | Fault:
        """Return values of another spreadsheet."""
        return self.import_range(spreadsheet, reference)
