"""Requests about the look of cells: mergeCells, unmergeCells, updateBorders."""

from collections.abc import Iterator

from apps.sheets.cells import EMPTY, Area
from apps.sheets.grid import protection
from apps.sheets.grid.effective_formats import rgb_of
from apps.sheets.grid.stored_cells import BLANK, Cell
from apps.sheets.json_columns import decode_object, encode_object
from apps.sheets.operations.requests.registry import RequestArguments, request
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.objects import delete_object, list_objects, list_overlapping
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CheckedObject, ColorStyle
from world.core.json_types import JsonObject

PARTIAL = "You must select all cells in a merged range to merge or unmerge them."
MOST_MERGES = 1_000  # of one request
OF_A_MERGE = 30  # cells that making one costs
COST_OF_A_BORDER = 3  # half cells: its format is long
WIDTHS = {"DOTTED": 1, "DASHED": 1, "SOLID": 1, "SOLID_MEDIUM": 2, "SOLID_THICK": 3, "DOUBLE": 3}
SIDES = ("top", "bottom", "left", "right", "innerHorizontal", "innerVertical")


def get_editable_range(book: Spreadsheet, asked: RequestArguments) -> tuple[Tab, Area]:
    """A range on its sheet with its edges, the caller's to change. Raises protected."""
    tab, area = asked.grid(book)
    whole = area.within(tab.rows, tab.columns)
    protection.check_area(book, tab, whole)
    return tab, whole


@request("mergeCells")
def merge_cells(book: Spreadsheet, asked: RequestArguments) -> None:
    """Merge the cells of a range, all or by rows or columns; merges within it are replaced, and only the first value
    stays.
    """
    tab, area = get_editable_range(book, asked)
    kind = asked.get("mergeType", "MERGE_ALL")
    _replace(book, asked, tab, area)
    parts = [
        part for part in _parts(area, kind) if (part.bottom or 0) - part.top > 1 or (part.right or 0) - part.left > 1
    ]
    if len(parts) > MOST_MERGES:
        raise asked.wrong(f"You cannot merge more than {MOST_MERGES} ranges at once.")
    book.claim(len(parts) * OF_A_MERGE)
    for part in parts:
        if part.top < tab.frozen_rows < (part.bottom or 0) or part.left < tab.frozen_columns < (part.right or 0):
            raise asked.wrong("You can't merge frozen and non-frozen rows or columns.")
        book.add_object("merge", tab, part, {})
    _keep_first(book, tab, area, parts)


def _replace(book: Spreadsheet, asked: RequestArguments, tab: Tab, area: Area) -> None:
    """Take away the merges within an area. Raises bad_request when one lies across its edge."""
    for merge in list_overlapping(list_objects(book, "merge", tab), tab, area):
        if not area.covers(merge.area):
            raise asked.wrong(PARTIAL)
        delete_object(book, merge)


def _parts(area: Area, kind: str) -> list[Area]:
    """The areas that become one cell each."""
    top, left, bottom, right = area.top, area.left, area.bottom or 0, area.right or 0
    if kind == "MERGE_ROWS":
        return [Area(row, left, row + 1, right) for row in range(top, bottom)]
    return (
        [Area(top, column, bottom, column + 1) for column in range(left, right)] if kind == "MERGE_COLUMNS" else [area]
    )


def _keep_first(book: Spreadsheet, tab: Tab, area: Area, parts: list[Area]) -> None:
    """Of each part the first value, in its first cell."""
    known = book.cells(tab, area)
    filled = {at: cell for at, cell in known.items() if cell.entry.kind}
    new: dict[tuple[int, int], Cell] = {}
    for part in parts if filled else []:
        inside = [at for at in filled if part.holds(*at)]
        corner = (part.top, part.left)
        for at in inside:
            new[at] = known[at]._replace(entry=EMPTY, runs=None)
        if inside:
            first = known[inside[0]]
            new[corner] = known.get(corner, BLANK)._replace(entry=first.entry, runs=first.runs)
    changed = [(*at, cell) for at, cell in sorted(new.items()) if known.get(at, BLANK) != cell]
    if changed:
        book.put(tab, changed)


@request("unmergeCells")
def unmerge_cells(book: Spreadsheet, asked: RequestArguments) -> None:
    """Take away the merges of a range."""
    tab, area = get_editable_range(book, asked)
    _replace(book, asked, tab, area)


@request("updateBorders")
def update_borders(book: Spreadsheet, asked: RequestArguments) -> None:
    """Set the borders about a range and within it; those that are not named stay."""
    tab, area = get_editable_range(book, asked)
    given = {side: _border(asked, asked.given[side]) for side in SIDES if side in asked.given}
    book.claim(((area.bottom or 0) - area.top) * ((area.right or 0) - area.left) * COST_OF_A_BORDER // 2)
    known, looks = book.cells(tab, area), dict[tuple[bool | str | None, ...], str | None]()
    make = tuple.__new__  # a tenth of the time of `_replace`

    def change(row: int, column: int) -> Cell:
        """The cell with its borders; equal cells at equal places are worked out once."""
        cell = known.get((row, column), BLANK)
        at = row == area.top, row == (area.bottom or 0) - 1, column == area.left, column == (area.right or 0) - 1
        if (cell.format, *at) not in looks:
            looks[cell.format, *at] = _set_borders(cell, dict(_sides(area, row, column, given))).format
        return make(Cell, (cell[0], looks[cell.format, *at], *cell[2:]))

    new = [(row, column, change(row, column)) for row, column in _list_cells(area, given)]
    book.put(tab, [(row, column, cell) for row, column, cell in new if cell != known.get((row, column), BLANK)])


def _list_cells(area: Area, given: CheckedObject) -> Iterator[tuple[int, int]]:
    """The cells that get a border: all of them where there are inner ones."""
    bottom, right = area.bottom or 0, area.right or 0
    whole = "innerHorizontal" in given or "innerVertical" in given
    for row in range(area.top, bottom):
        edge = whole or ("top" in given and row == area.top) or ("bottom" in given and row == bottom - 1)
        ends = [column for side, column in (("left", area.left), ("right", right - 1)) if side in given]
        for column in range(area.left, right) if edge else dict.fromkeys(ends):
            yield row, column


def _sides(area: Area, row: int, column: int, given: CheckedObject) -> Iterator[tuple[str, object]]:
    """The borders of one cell of the area."""
    edges = {
        "top": row == area.top,
        "bottom": row == (area.bottom or 0) - 1,
        "left": column == area.left,
        "right": column == (area.right or 0) - 1,
    }
    for side, outer in edges.items():
        name = side if outer else "innerHorizontal" if side in ("top", "bottom") else "innerVertical"
        if name in given:
            yield side, given[name]


def _border(asked: RequestArguments, border: object) -> JsonObject | None:
    """Return a Border as stored; None for none."""
    if not isinstance(border, dict):
        raise asked.wrong("A border must be an object.")
    style = border.get("style")
    if style in (None, "STYLE_UNSPECIFIED") and (border.get("width") or 0) > 0:
        style = {1: "SOLID", 2: "SOLID_MEDIUM"}.get(border["width"], "SOLID_THICK")
    if style in (None, "STYLE_UNSPECIFIED", "NONE"):
        return None
    colour: ColorStyle = border.get("colorStyle") or {"rgbColor": border.get("color") or {}}
    return {"style": style, "width": WIDTHS[style], "color": rgb_of(colour), "colorStyle": colour}


def _set_borders(cell: Cell, sides: CheckedObject) -> Cell:
    """Give a cell other borders."""
    style = decode_object(cell.format)
    borders = {**style.pop("borders", {}), **sides}
    kept = {side: border for side, border in borders.items() if border}
    return cell._replace(format=encode_object({**style, "borders": kept} if kept else style))
