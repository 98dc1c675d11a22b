"""CellData, the vendor's whole description of a cell, made from a cell and read back into one."""

import re
from collections.abc import Iterator
from itertools import count
from typing import Any

import orjson

from apps.sheets import formats
from apps.sheets.cells import EMPTY, Area, Entry, Fault, Value
from apps.sheets.grid import rich_text
from apps.sheets.grid.conditions import problem
from apps.sheets.grid.effective_formats import effective_formats, overlaid
from apps.sheets.grid.stored_cells import BLANK, Cell
from apps.sheets.json_columns import decoded, encoded
from apps.sheets.operations.value_input import plain
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure import pivots
from apps.sheets.structure.tabs import Tab
from world.core.errors import OperationError

ERRORS = {
    "#NULL!": "NULL_VALUE",
    "#DIV/0!": "DIVIDE_BY_ZERO",
    "#VALUE!": "VALUE",
    "#REF!": "REF",
    "#NAME?": "NAME",
    "#NUM!": "NUM",
    "#N/A": "N_A",
    "#ERROR!": "ERROR",
    "Loading...": "LOADING",
}
_HYPERLINK = re.compile(r'=HYPERLINK\(\s*"((?:[^"]|"")*)"', re.IGNORECASE)
DEEPEST = 20  # names in one path of a field mask
WHITE, BLACK = {"red": 1, "green": 1, "blue": 1}, {}
# what a new spreadsheet's cells look like; observed in answers of spreadsheets.get
DEFAULT_FORMAT: dict[str, Any] = {
    "backgroundColor": WHITE,
    "padding": {"top": 2, "right": 3, "bottom": 2, "left": 3},
    "verticalAlignment": "BOTTOM",
    "wrapStrategy": "OVERFLOW_CELL",
    "textFormat": {
        "foregroundColor": BLACK,
        "fontFamily": "arial,sans,sans-serif",
        "fontSize": 10,
        "bold": False,
        "italic": False,
        "strikethrough": False,
        "underline": False,
        "foregroundColorStyle": {"rgbColor": BLACK},
    },
    "backgroundColorStyle": {"rgbColor": WHITE},
}


def grid_rows(book: Spreadsheet, tab: Tab, area: Area) -> list[dict[str, Any]]:
    """RowData of an area; a row without anything is an empty object, and none follow the last that has something."""
    held = book.cells(tab, area)
    values = book.shown(tab, area)
    looks = effective_formats(book, tab, area)
    anchors: dict[int, list[int]] = {}
    for sheet, row, column in book.prepared.pivots:
        if sheet == tab.id and area.holds(row, column):
            anchors.setdefault(row, []).append(column)
    out: list[dict[str, Any]] = []
    for row, line in enumerate(values, area.top):
        cells = [
            _told(book, tab, at, held.get(at, BLANK), value, looks.get(at))
            for value, at in zip(line, _row(row, area.left), strict=False)
        ]
        for column in anchors.get(row, ()):
            cells[column - area.left]["pivotTable"] = pivots.told(book.prepared.pivots[tab.id, row, column].spec)
        while cells and not cells[-1]:
            cells.pop()
        out.append({"values": cells} if cells else {})
    while out and not out[-1]:
        out.pop()
    return out


def _row(row: int, left: int) -> Iterator[tuple[int, int]]:
    """The places of a row from a column on."""
    return ((row, column) for column in count(left))


def _told(
    book: Spreadsheet, tab: Tab, at: tuple[int, int], cell: Cell, value: Value, look: dict[str, Any] | None
) -> dict[str, Any]:
    """One CellData; `look` is the cell's format where conditional formats and the like give it another than its own."""
    if look is None and cell[1:] == BLANK[1:]:
        return _bare(book, tab, at, cell.entry, value)
    style = decoded(cell.format)
    number = style.get("numberFormat")
    hint = "" if number or type(value) is not float or cell.entry.kind == "number" else book.engine.hint(tab.id, *at)
    told: dict[str, Any] = {}
    if cell.entry.kind:
        told["userEnteredValue"] = entered(cell.entry)
    if value is not None and value != "":
        told |= {"effectiveValue": effective(value), "formattedValue": formats.shown(value, number, book.locale, hint)}
    if style:
        told["userEnteredFormat"] = style
    if told or look:
        told["effectiveFormat"] = overlaid(DEFAULT_FORMAT, style if look is None else look)
    extra = {"note": cell.note, "dataValidation": cell.validation and orjson.loads(cell.validation)}
    told |= {name: item for name, item in extra.items() if item}
    return {**told, **_linked(book, cell, style), **rich_text.told(cell.runs, cell.entry)}


def _linked(book: Spreadsheet, cell: Cell, style: dict[str, Any]) -> dict[str, Any]:
    """Where a cell leads: by its format, by one run over all of its text, or by a formula."""
    runs = rich_text.text_runs(cell.runs)
    links = [((run.get("format") or {}).get("link") or {}).get("uri") for run in runs]
    uri = links[0] if len(links) == 1 and not runs[0].get("startIndex") else None
    found = uri or ((style.get("textFormat") or {}).get("link") or {}).get("uri") if not any(links[1:]) else None
    link = _HYPERLINK.match(cell.entry.input) if cell.entry.kind == "formula" else None
    found = link[1].replace('""', '"') if link else found
    return {"hyperlink": found} if found else {}


def _bare(book: Spreadsheet, tab: Tab, at: tuple[int, int], entry: Entry, value: Value) -> dict[str, Any]:
    """The CellData of a cell without looks or notes: most cells of large sheets."""
    if value is None or value == "":
        return {"userEnteredValue": entered(entry), "effectiveFormat": DEFAULT_FORMAT} if entry.kind else {}
    computed = effective(value)
    hint = book.engine.hint(tab.id, *at) if entry.kind in ("formula", "") else ""
    told = {
        "effectiveValue": computed,
        "formattedValue": formats.shown(value, None, book.locale, hint),
        "effectiveFormat": DEFAULT_FORMAT,
    }
    if entry.kind == "formula":
        return {"userEnteredValue": entered(entry), **told, **_linked(book, Cell(entry), {})}
    return {"userEnteredValue": computed, **told} if entry.kind else told


def entered(entry: Entry) -> dict[str, Any]:
    """An ExtendedValue of what was typed."""
    if entry.kind == "number":
        return {"numberValue": _number(float(entry.input))}
    if entry.kind == "boolean":
        return {"boolValue": entry.input == "TRUE"}
    return {"formulaValue" if entry.kind == "formula" else "stringValue": entry.input}


def effective(value: Value) -> dict[str, Any]:
    """An ExtendedValue of what a cell computes to."""
    if isinstance(value, Fault):
        return {
            "errorValue": {
                "type": ERRORS.get(value.code, "ERROR"),
                **({"message": value.message} if value.message else {}),
            }
        }
    if isinstance(value, bool):
        return {"boolValue": value}
    return {"numberValue": _number(value)} if isinstance(value, float) else {"stringValue": value}


def _number(value: float) -> float | int:
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def entry_of(value: dict[str, Any] | None) -> Entry:
    """What an ExtendedValue types. Raises bad_request for an error value or several."""
    if not value:
        return EMPTY
    if "formulaValue" in value:
        text = str(value["formulaValue"])
        return Entry("formula", text if text.startswith("=") else f"={text}")
    if "numberValue" in value:
        return Entry("number", plain(value["numberValue"]))
    if "boolValue" in value:
        return Entry("boolean", str(bool(value["boolValue"])).upper())
    if "stringValue" in value:
        text = str(value["stringValue"])
        return Entry("text", text) if text else EMPTY
    raise OperationError("bad_request", problem="ExtendedValue must have a value to enter.")


def changed(cell: Cell, data: dict[str, Any], fields: "Fields") -> Cell:
    """A cell with the named fields of a CellData; named fields that are absent are cleared. Raises bad_request,
    unsupported_request.
    """
    if fields.has("dataSourceTable") and data.get("dataSourceTable") is not None:
        raise OperationError("unsupported_request")
    if fields.has("userEnteredValue"):
        cell = cell._replace(entry=entry_of(data.get("userEnteredValue")), runs=None)
    if fields.has("userEnteredFormat"):
        style = fields.at("userEnteredFormat").merge(decoded(cell.format), data.get("userEnteredFormat") or {})
        cell = cell._replace(format=encoded(displayable(style)))
    if fields.has("note"):
        cell = cell._replace(note=data.get("note") or None)
    if fields.has("dataValidation"):
        cell = cell._replace(validation=encoded(_ruled(data.get("dataValidation"))))
    if fields.has("textFormatRuns"):
        cell = cell._replace(runs=rich_text.with_text_runs(cell.runs, data.get("textFormatRuns")))
    if fields.has("chipRuns"):
        cell = cell._replace(
            runs=rich_text.with_chips(
                cell.runs, data.get("chipRuns"), (data.get("userEnteredValue") or {}).get("stringValue")
            )
        )
    return cell


def _ruled(rule: dict[str, Any] | None) -> dict[str, Any] | None:
    """A rule of data validation that means something. Raises bad_request."""
    wrong = problem(rule.get("condition") or {}, "rule") if rule else None
    if wrong:
        raise OperationError("bad_request", problem=wrong)
    return rule


def displayable(style: dict[str, Any]) -> dict[str, Any]:
    """A format whose number pattern can be read. Raises bad_request."""
    try:
        formats.check((style.get("numberFormat") or {}).get("pattern") or "")
    except formats.BadPattern as bad:
        raise OperationError("bad_request", problem=str(bad)) from bad
    return style


class Fields:
    """A field mask of a request: `userEnteredFormat.textFormat.bold,note`, `*` for everything."""

    def __init__(self, tree: dict[str, Any]) -> None:
        self.tree = tree

    @classmethod
    def masked(cls, text: object) -> "Fields":
        """From its text. Raises bad_fields."""
        if not isinstance(text, str) or not text.strip():
            raise OperationError("fields_missing")
        tree: dict[str, Any] = {}
        for path in _paths(text):
            at = tree
            for name in path:
                at = at.setdefault(name, {})
        return cls(tree)

    def names(self) -> Iterator[str]:
        """Every name in it."""
        for name, inner in self.tree.items():
            yield name
            yield from Fields(inner).names()

    @property
    def is_all(self) -> bool:
        """Whether everything is named."""
        return not self.tree or "*" in self.tree

    def has(self, name: str) -> bool:
        """Whether a field or a part of it is named."""
        return self.is_all or name in self.tree

    def at(self, name: str) -> "Fields":
        """The mask within a field."""
        return Fields({} if self.is_all else self.tree.get(name, {}))

    def merge(self, old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
        """The old object with the named fields of the new one."""
        if self.is_all:
            return dict(new)
        out = dict(old)
        for name in self.tree:
            inner = self.at(name)
            if inner.is_all and name not in new:
                out.pop(name, None)
            elif inner.is_all or not isinstance(new.get(name, {}), dict):
                out[name] = new[name]
            else:
                out[name] = inner.merge(old.get(name) or {}, new.get(name) or {})
                if not out[name]:
                    del out[name]
        return out


def _paths(text: str) -> list[list[str]]:
    """`a(b,c/d),e.f` as paths. Raises bad_fields."""
    out: list[list[str]] = []
    stack: list[list[str]] = [[]]
    word = ""
    closed = False
    for mark in f"{text},":
        if mark in ",()":
            path = _longer(stack[-1], word, text)
            if word.strip() and mark != "(":
                out.append(path)
            elif not word.strip() and mark == "," and not closed:
                raise OperationError("bad_fields", fields=text)
            closed = mark == ")"
            if mark == "(":
                stack.append(path)
            elif mark == ")":
                stack.pop()
                if not stack:
                    raise OperationError("bad_fields", fields=text)
            word = ""
        else:
            word += mark
    if len(stack) != 1:
        raise OperationError("bad_fields", fields=text)
    return out


def _longer(path: list[str], word: str, text: str) -> list[str]:
    """A path with the names of a word behind it."""
    found = path + [part.strip() for part in word.replace("/", ".").split(".") if part]
    if len(found) > DEEPEST:
        raise OperationError("bad_fields", fields=text)
    return found
