"""Requests that look into texts: findReplace, trimWhitespace, textToColumns."""

import re
from typing import Any

import re2

from apps.sheets import formats
from apps.sheets.cells import Area, Entry
from apps.sheets.grid import protection
from apps.sheets.grid.stored_cells import Cell
from apps.sheets.json_columns import read_format
from apps.sheets.operations.requests.moves import type_in, type_text
from apps.sheets.operations.requests.registry import RequestArguments, request
from apps.sheets.operations.value_input import MOST_LETTERS
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.tabs import Tab
from world.core.errors import OperationError
from world.core.json_types import JsonObject

MOST_PATTERN, MOST_MEMORY = 2_000, 1 << 20  # characters of a pattern, bytes of what it is compiled to
DATES = ("DATE", "TIME", "DATE_TIME")
DELIMITERS = {"COMMA": ",", "SEMICOLON": ";", "PERIOD": ".", "SPACE": " "}
GUESSED = (",", ";", "\t", "|", ".", " ")


class Search:
    """Compiled search pattern and its replacement."""

    def __init__(self, asked: RequestArguments) -> None:
        find, new = asked.get("find", ""), asked.get("replacement", "")
        if not find:
            raise asked.wrong("find must not be empty.")
        self.whole, self.regex = bool(asked.get("matchEntireCell")), bool(asked.get("searchByRegex"))
        pattern = find if self.regex else re.escape(find)
        if not asked.get("matchCase"):
            pattern = f"(?i){pattern}"
        self.pattern: Any = _compile_pattern(asked, pattern) if self.regex else re.compile(pattern)
        self.new = _template(asked, new, self.pattern.groups) if self.regex else [new]

    def replace_matches(self, text: str) -> tuple[str, int]:
        """Replace every occurrence in a text; the new text, and how many there were. Raises too_long."""
        if self.whole:
            found = self.pattern.fullmatch(text)
            return (self._fill_replacement(found), 1) if found else (text, 0)
        pieces, at, size, count = [], 0, 0, 0
        for match in self.pattern.finditer(text):
            piece = text[at : match.start()] + self._fill_replacement(match)
            pieces.append(piece)
            size, at, count = size + len(piece), match.end(), count + 1
            if size > MOST_LETTERS:
                raise OperationError("too_long", most=MOST_LETTERS)
        return "".join((*pieces, text[at:])), count

    def _fill_replacement(self, match: Any) -> str:
        return "".join(part if isinstance(part, str) else match.group(part) or "" for part in self.new)


def _compile_pattern(asked: RequestArguments, pattern: str) -> Any:
    """Compile a pattern that matches in linear time. Raises bad_request."""
    options = re2.Options()
    options.max_mem, options.log_errors = MOST_MEMORY, False
    try:
        if len(pattern) > MOST_PATTERN:
            raise re2.error("too long")
        return re2.compile(pattern, options)
    except re2.error:
        raise asked.wrong(f"Invalid regular expression: {pattern.removeprefix('(?i)')[:100]}") from None


def _template(asked: RequestArguments, text: str, groups: int) -> list[str | int]:
    """A replacement in Java's rules: `$1` is a group, a backslash takes the next character as it is. Raises
    bad_request.
    """
    parts: list[str | int] = []
    for found in re.finditer(r"\\(.)|\$([0-9])|([^\\$]+)|.", text, re.DOTALL):
        if found[2] is not None and int(found[2]) > groups:
            raise asked.wrong(f"No group {found[2]}")
        if found[2] is None and found[1] is None and found[3] is None:
            raise asked.wrong("Illegal group reference")
        parts.append(int(found[2]) if found[2] is not None else found[1] or found[3])
    return parts


@request("findReplace")
def find_replace(book: Spreadsheet, asked: RequestArguments) -> JsonObject:
    """Find and replace text in a range, a sheet or everywhere; regular expressions without look-around."""
    search = Search(asked)
    places = _scope(book, asked)
    counts: dict[str, int] = dict.fromkeys(
        ("valuesChanged", "formulasChanged", "rowsChanged", "sheetsChanged", "occurrencesChanged"), 0
    )
    for tab, area in places:
        _replace(book, tab, area, search, counts, formulas=bool(asked.get("includeFormulas")))
    return {name: count for name, count in counts.items() if count}


def _scope(book: Spreadsheet, asked: RequestArguments) -> list[tuple[Tab, Area]]:
    """Return the areas to search: exactly one of range, sheetId, allSheets. Raises bad_request."""
    given = [
        name
        for name in ("range", "sheetId", "allSheets")
        if asked.get(name) is not None and asked.get(name) is not False
    ]
    if len(given) != 1:
        raise asked.wrong("Exactly one of range, sheetId or allSheets must be specified.")
    if given == ["range"]:
        tab, area = asked.grid(book)
        return [(tab, area.within(tab.rows, tab.columns))]
    tabs = book.tabs if given == ["allSheets"] else [book.tab(asked.get("sheetId"))]
    return [(tab, Area(0, 0, tab.rows, tab.columns)) for tab in tabs]


def _replace(
    book: Spreadsheet, tab: Tab, area: Area, search: Search, counts: dict[str, int], *, formulas: bool
) -> None:
    """Replace within an area and count it."""
    new: list[tuple[int, int, Cell]] = []
    for at, cell in book.cells(tab, area).items():
        is_formula = cell.entry.kind == "formula"
        if not cell.entry.kind or (is_formula and not formulas):
            continue
        text, count = search.replace_matches(render_input(book, cell))
        if not count:
            continue
        counts["occurrencesChanged"] += count
        counts["formulasChanged" if is_formula else "valuesChanged"] += 1
        new.append((*at, type_text(book, cell, text)))
    protection.check(book, tab, [one[:2] for one in new])
    if new:
        counts["rowsChanged"] += len({one[0] for one in new})
        counts["sheetsChanged"] += 1
        book.put(tab, new)


def render_input(book: Spreadsheet, cell: Cell) -> str:
    """Return the text shown when a person edits a cell: dates as dates."""
    number = read_format(cell.format).get("numberFormat") or {}
    if cell.entry.kind == "number" and number.get("type") in DATES:
        return formats.format_value(float(cell.entry.input), number, book.locale)
    return cell.entry.input


@request("trimWhitespace")
def trim_whitespace(book: Spreadsheet, asked: RequestArguments) -> JsonObject:
    """Take white space away from both ends of texts and double white space out of them."""
    tab, area = asked.grid(book)
    protection.check_area(book, tab, area)
    new: list[tuple[int, int, Cell]] = []
    for at, cell in book.cells(tab, area).items():
        trimmed = " ".join(cell.entry.input.split())
        if cell.entry.kind == "text" and trimmed != cell.entry.input:
            new.append((*at, cell._replace(entry=Entry("text", trimmed) if trimmed else Entry("", ""), runs=None)))
    if new:
        book.put(tab, new)
    return {"cellsChangedCount": len(new)} if new else {}


@request("textToColumns")
def text_to_columns(book: Spreadsheet, asked: RequestArguments) -> None:
    """Split the texts of a column into the columns right of it."""
    tab, whole = asked.grid(book, "source")
    area = whole.within(tab.rows, tab.columns)
    if (area.right or 0) - area.left != 1:
        raise asked.wrong("The source range must span exactly one column.")
    held = {at: cell for at, cell in book.cells(tab, area).items() if cell.entry.kind}
    texts = {at: _text(book, tab, at, cell) for at, cell in held.items()}
    delimiter = _delimiter(asked, list(texts.values()))
    split = {at: text.split(delimiter) for at, text in texts.items() if delimiter in text}
    type_in(
        book,
        asked,
        tab,
        {
            (row, column + place): part.strip()
            for (row, column), parts in split.items()
            for place, part in enumerate(parts)
        },
    )


def _text(book: Spreadsheet, tab: Tab, at: tuple[int, int], cell: Cell) -> str:
    """Return the displayed text of a cell."""
    return formats.format_value(
        book.engine.value(tab.id, *at), read_format(cell.format).get("numberFormat"), book.locale
    )


def _delimiter(asked: RequestArguments, texts: list[str]) -> str:
    """The delimiter named, or the one that most of the texts have. Raises bad_request."""
    kind, own = asked.get("delimiterType", "DELIMITER_TYPE_UNSPECIFIED"), asked.get("delimiter", "")
    if kind in DELIMITERS:
        return DELIMITERS[kind]
    if kind == "AUTODETECT":
        return max(GUESSED, key=lambda mark: sum(mark in text for text in texts))
    if kind == "CUSTOM" and own:
        return own
    raise asked.wrong(
        "A delimiter must be specified if delimiterType is CUSTOM."
        if kind == "CUSTOM"
        else "delimiterType must be specified."
    )
