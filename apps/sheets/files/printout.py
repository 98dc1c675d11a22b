"""Export of a spreadsheet as PDF, as the vendor prints it: every visible sheet on pages as wide as its columns need.

support.google.com/docs/answer/7663148. Left out: charts, images, borders of cells, notes, lines through and under
letters, vertical alignment, wrapping. A text is cut at its cell's edge, also where the vendor lets it run over empty
cells.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from apps.sheets.cells import Area
from apps.sheets.files import displayed_cells
from apps.sheets.files.displayed_cells import DisplayedCell
from apps.sheets.files.pdf import NARROWEST, Document, Page, measure_text
from apps.sheets.files.sizes import POINTS_OF_A_PIXEL
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.objects import list_objects
from apps.sheets.structure.tabs import Tab
from world.core.errors import OperationError

LETTER, A4 = (612.0, 792.0), (595.28, 841.89)  # points
AMERICAN = frozenset({"en_US", "en_CA", "fr_CA", "es_MX", "es_US", "en_PH"})  # locales whose paper is Letter
MARGIN = 50.4  # points, 0.7 inches
WIDTH, HEIGHT, SIZE = 100, 21, 10  # of a column and a row in pixels, of letters in points
RULE, PAPER = "#d0d0d0", "#ffffff"
MOST_PRINTED = 10_000  # cells up to the last non-empty one, of all sheets; own choice: two tenths of a second
_SIZES = "SELECT axis, at, size, hidden, filtered FROM sheets_dimension WHERE sheet_id = :sheet ORDER BY axis, at"


@dataclass(frozen=True, slots=True)
class Paper:
    """A page's width and height in points, and how much a sheet is made smaller to fit its width."""

    width: float
    height: float
    scale: float


@dataclass(slots=True)
class Grid:
    """What a sheet shows: its cells, the edges of its columns and rows in unscaled points, and its merged cells."""

    lines: list[list[DisplayedCell]]
    across: list[float]
    down: list[float]
    merges: dict[tuple[int, int], Area]

    def span(self, row: int, column: int) -> Area:
        """The cells that a cell covers."""
        found = self.merges.get((row, column), Area(row, column, row + 1, column + 1))
        bottom, right = (
            min(found.bottom or row + 1, len(self.down) - 1),
            min(found.right or column + 1, len(self.across) - 1),
        )
        return Area(row, column, bottom, right)


def export_printout(book: Spreadsheet, gid: int | None = None) -> bytes:
    """Export a spreadsheet's visible sheets, or one sheet, as PDF. Raises no_sheet, too_large_to_export."""
    shown = [book.tab(gid)] if gid is not None else [tab for tab in book.tabs if not tab.hidden]
    if sum(count_cells(*book.last(tab)) for tab in shown) > MOST_PRINTED:
        raise OperationError("too_large_to_export")
    document = Document(book.file.name)
    for tab in shown:
        _print_sheet(document, book.locale, _read_grid(book, tab))
    return document.to_bytes()


def count_cells(row: int, column: int) -> int:
    """Count the cells up to one; none at -1."""
    return (row + 1) * (column + 1)


def _read_grid(book: Spreadsheet, tab: Tab) -> Grid:
    lines = displayed_cells.lines(book, tab)
    sizes: dict[tuple[str, int], int] = {}
    for axis, at, size, hidden, filtered in book.call.all(_SIZES, {"sheet": tab.id}):
        sizes[axis, at] = 0 if hidden or filtered else size or (WIDTH if axis == "COLUMNS" else HEIGHT)
    merges = {(one.area.top, one.area.left): one.area for one in list_objects(book, "merge", tab)}
    width = len(lines[0]) if lines else 0
    across = _edges(sizes.get(("COLUMNS", at), WIDTH) for at in range(width))
    return Grid(lines, across, _edges(sizes.get(("ROWS", at), HEIGHT) for at in range(len(lines))), merges)


def _edges(pixels: Iterator[int]) -> list[float]:
    edges = [0.0]
    for one in pixels:
        edges.append(edges[-1] + one * POINTS_OF_A_PIXEL)
    return edges


def _print_sheet(document: Document, locale: str, grid: Grid) -> None:
    width, height = LETTER if locale in AMERICAN else A4
    paper = Paper(width, height, min(1.0, (width - 2 * MARGIN) / (grid.across[-1] or 1.0)))
    hidden = {
        (row, column)
        for at, area in grid.merges.items()
        for row in range(area.top, min(area.bottom or 0, len(grid.lines)))
        for column in range(area.left, min(area.right or 0, len(grid.across) - 1))
        if (row, column) != at
    }
    for first, last in _list_pages(grid.down, (height - 2 * MARGIN) / paper.scale):
        page = document.add_page(width, height)
        _print_rules(page, paper, grid, first, last)
        for row in range(first, last):
            for column, cell in enumerate(grid.lines[row]):
                if (cell.text or cell.look or (row, column) in grid.merges) and (row, column) not in hidden:
                    _print_cell(page, paper, grid, first, grid.span(row, column), cell)
        page.close()


def _print_rules(page: Page, paper: Paper, grid: Grid, first: int, last: int) -> None:
    """The edges of a page's rows and columns, one line each."""
    right, bottom = (MARGIN + length * paper.scale for length in (grid.across[-1], grid.down[last] - grid.down[first]))
    if last == first or right <= MARGIN or bottom <= MARGIN:
        return
    for down in dict.fromkeys(grid.down[first : last + 1]):
        y = MARGIN + (down - grid.down[first]) * paper.scale
        page.draw_line(MARGIN, y, right, y, RULE)
    for across in dict.fromkeys(grid.across):
        x = MARGIN + across * paper.scale
        page.draw_line(x, MARGIN, x, bottom, RULE)


def _list_pages(edges: list[float], height: float) -> Iterator[tuple[int, int]]:
    """The first and the following row of each page; one without rows for an empty sheet."""
    first = 0
    for row in range(1, len(edges)):
        if edges[row] - edges[first] > height and row - 1 > first:
            yield first, row - 1
            first = row - 1
    yield first, len(edges) - 1


def _print_cell(page: Page, paper: Paper, grid: Grid, first: int, area: Area, cell: DisplayedCell) -> None:
    """One cell: its ground, its text, and if it is merged its edges."""
    x, right = (MARGIN + grid.across[at] * paper.scale for at in (area.left, area.right or 0))
    y, bottom = (MARGIN + (grid.down[at] - grid.down[first]) * paper.scale for at in (area.top, area.bottom or 0))
    if right <= x or bottom <= y:
        return
    merged = (area.top, area.left) in grid.merges
    if cell.look.get("bg") or merged:
        page.fill_box(x, y, right - x, bottom - y, str(cell.look.get("bg") or PAPER))
        for ends in ((x, y, right, y), (x, bottom, right, bottom), (x, y, x, bottom), (right, y, right, bottom)):
            page.draw_line(*ends, RULE)
    if cell.text:
        _print_text(page, paper.scale, (x, right, bottom), cell)


def _print_text(page: Page, scale: float, box: tuple[float, float, float], cell: DisplayedCell) -> None:
    left, right, bottom = box
    look, inset = cell.look, 2.5 * scale
    size = float(look.get("fs") or SIZE) * scale
    room = max(right - left - 2 * inset, 0.0)
    text = " ".join(cell.text.split("\n"))[: int(room * 1000 / (NARROWEST * size)) + 2]
    free = max(room - measure_text(text, size), 0.0)
    usual = "RIGHT" if isinstance(cell.value, float) else "CENTER" if isinstance(cell.value, bool) else "LEFT"
    shift = {"RIGHT": free, "CENTER": free / 2}.get(str(look.get("h") or usual), 0.0)
    style = bool(look.get("b")) + 2 * bool(look.get("i"))
    page.draw_text(left + inset + shift, bottom - 4 * scale, text, size, style, str(look.get("fg") or "#000000"), room)
