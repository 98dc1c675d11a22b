"""Values of workbook formulas, to find the source of a figure."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from apps.sheets.cells import Entry, Fault
from apps.sheets.engine import engine
from world.core.audience import Cells
from world.core.conduct import State

Sheets = dict[int, list[Cells]]  # the cells of one workbook, by sheet


def formula_values(state: State, wanted: Callable[[Cells], bool]) -> Iterator[tuple[Cells, float]]:
    """Yield the numbers that formulas compute, with their cells, in the workbooks where `wanted` accepts a formula."""
    books: dict[int, Sheets] = {}
    for cell in state.rows("sheets_cell"):
        if cell["kind"]:
            books.setdefault(cell["file_id"], {}).setdefault(cell["sheet_id"], []).append(cell)
    titles = {row["id"]: str(row["title"]) for row in state.rows("sheets_sheet")} if books else {}
    for sheets in books.values():
        formulas = [cell for cells in sheets.values() for cell in cells if cell["kind"] == "formula"]
        if formulas and wanted(formulas[0]):
            yield from _compute(sheets, titles, formulas)


def _compute(sheets: Sheets, titles: Mapping[int, str], formulas: Iterable[Cells]) -> Iterator[tuple[Cells, float]]:
    made = engine(lambda key, text: Fault("#REF!", "Import Range internal error."))
    made.load([(sheet, titles.get(sheet, ""), list(map(_entry, cells))) for sheet, cells in sheets.items()], {})
    for cell in formulas:
        value: object = made.value(cell["sheet_id"], cell["row"], cell["col"])
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            yield cell, float(value)


def _entry(cell: Cells) -> tuple[int, int, Entry]:
    return cell["row"], cell["col"], Entry(cell["kind"], cell["input"])
