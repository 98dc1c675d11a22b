"""Reader of a worksheet's part in one pass: cells straight into rows, everything else into a tree."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from math import isfinite
from typing import Any
from xml.sax.saxutils import unescape

from apps.sheets import a1
from apps.sheets.cells import DAY_ZERO, Area
from apps.sheets.files import formulas, markup
from apps.sheets.files.content import Placed
from apps.sheets.files.package import bad_file
from apps.sheets.formats.entry import MOST_CHARACTERS, number_text
from apps.sheets.structure import formula_references
from world.core.errors import OperationError

MOST_FILLED = 10_000_000
MOST_LINES, MOST_TEXTS = 20_000, 20_000  # rows, and shared strings, of a file; ours
DIGITS = "0123456789"
SINCE_1904 = 1462  # days between the two systems' beginnings
_COLUMN = re.compile("[A-Z]{1,3}")
# a row of plain cells, as most programs write most rows; every other row is the XML parser's
_ROW = re.compile(r'<row((?: [\w:]+="[^"<>&]*")*)(/?)>')
_TEXT = r"[^<>&\0-\x1f\ufffe\uffff]*+(?:&(?:amp|lt|gt|quot|apos);[^<>&\0-\x1f\ufffe\uffff]*+)*+"
_PLAIN = (
    r'<c r="(?P<l>[A-Z]{1,3})[0-9]{1,8}"(?: s="(?P<s>[0-9]{1,6})")?(?: t="(?P<t>n|s|b|e|str|inlineStr)")?'
    rf"(?:/>|>(?:<f>(?P<f>{_TEXT})</f>)?(?:<v"
    rf" ?/>|<v>(?P<w>0|[1-9][0-9]{{0,14}})</v>|<v>(?P<v>{_TEXT})</v>|<is><t>(?P<i>{_TEXT})</t></is>)?</c>)"
)
_CELL, _CELLS = re.compile(_PLAIN), re.compile("(?:" + re.sub(r"\(\?P<.>", "(?:", _PLAIN) + ")*+")
_ATTRIBUTE = re.compile(r'([\w]+)="([^"]*)"')
_QUOTES = {"&quot;": '"', "&apos;": "'"}
_ENCODING = re.compile(rb"encoding=[\"']([^\"']*)")
MOST_AT_ONCE = 64_000_000
_ERROR = re.compile(r"#(?:NULL!|DIV/0!|VALUE!|REF!|NAME\?|NUM!|N/A)")


class Strings(markup.Trees):
    """The shared strings while being read: texts, and their runs."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.rich: dict[int, markup.Node] = {}
        self._item = ""

    def start_element(self, name: str, attributes: dict[str, str]) -> None:
        super().start_element(name, attributes)
        self.nodes = 0 if len(self.open) == 2 else self.nodes

    def end_element(self, name: str) -> None:
        node = self.open[-1]
        if node.name == "si" and len(self.open) == 3:
            if node.find("r"):
                self.rich[len(self.texts)] = node
            self.texts.append(text_of(node))
            if len(self.texts) > MOST_TEXTS:
                raise OperationError("file_too_large")
            self.open[-2].children.clear()
            self.nodes = 0
        super().end_element(name)


def text_of(node: markup.Node) -> str:
    """Return the text of a string item, with its runs joined, without phonetic hints. Raises too_long."""
    parts = [node, *node.all("r")]
    text = "".join(markup.unescape_text(part.find("t").text) for part in parts)
    if len(text) > MOST_CHARACTERS:
        raise OperationError("too_long", most=MOST_CHARACTERS)
    return text


def strings(chunks: Iterable[bytes]) -> Strings:
    """Read the part of shared strings."""
    read = Strings()
    markup.feed(markup.parser(read), chunks)
    return read


class Grid(markup.Trees):
    """A worksheet while being read. `dated` are the numbers of styles whose dates count from 1904."""

    def __init__(self, shared: Strings, dated: frozenset[str]) -> None:
        super().__init__()
        self.shared, self.dated = shared, dated
        self.cells: list[Placed] = []
        self.rows: dict[int, dict[str, str]] = {}
        self.arrays: list[Area] = []
        self.rich: dict[tuple[int, int], markup.Node] = {}
        self.parser: Any = markup.parser(self)
        self._masters: dict[str, tuple[int, int, str]] = {}
        self._columns: dict[str, int] = {}
        self._row, self._column, self._text, self._value, self._lines = -1, -1, "", "", 0
        self._cell: dict[str, str] = {}
        self._formula: dict[str, str] | None = None
        self._formula_text = ""
        self._c = self._v = self._f = self._r = self._is = self._t = self._data = ""
        self._parts: list[markup.Node] = []

    def start_element(self, name: str, attributes: dict[str, str]) -> None:
        super().start_element(name, attributes)
        if self.open[-1].name == "sheetData":
            base = name[: -len("sheetData")]
            self._c, self._v, self._f, self._r, self._data = base + "c", base + "v", base + "f", base + "row", name
            self._is, self._t = base + "is", base + "t"
            self._quick(self.quick_start, self.quick_end, self.quick_text)

    @property
    def in_cells(self) -> bool:
        """Whether the cells have begun."""
        return bool(self._data) and self.open[-1].name == "sheetData"

    def _quick(self, start: object, end: object, text: object) -> None:
        parser = self.parser
        parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text

    def quick_start(self, name: str, attributes: dict[str, str]) -> None:
        """Begin an element of the cells."""
        if name == self._v:
            self._text = ""
        elif name == self._c:
            self._cell, self._value, self._formula, self._text = attributes, "", None, ""
        elif name == self._f:
            self._formula, self._text = attributes, ""
        elif name == self._r:
            self._begin_row(attributes)
        elif name == self._t:
            self._text = ""
        elif name != self._is:  # a run of an inline string: a tree of its own
            super().start_element(name, attributes)
            self._quick(super().start_element, self.inline_end, super().text)

    def quick_text(self, text: str) -> None:
        """Add text of a value or a formula. Raises too_long."""
        if len(self._text) > markup.LONGEST_TEXT:
            raise OperationError("too_long", most=MOST_CHARACTERS)
        self._text += text

    def quick_end(self, name: str) -> None:
        """End an element of the cells."""
        if name == self._v:
            self._value = self._text
        elif name == self._c:
            self._end_cell()
        elif name == self._t:
            self._value = self._text
        elif name == self._f:
            self._formula_text = self._text
        elif name == self._is:
            self._end_inline()
        elif name == self._data:
            super().end_element(name)
            self._quick(self.start_element, self.end_element, self.text)

    def inline_end(self, name: str) -> None:
        """End an element of an inline string."""
        node = self.open[-1]
        super().end_element(name)
        if self.open[-1].name == "sheetData":
            self.open[-1].children.clear()
            self.nodes -= 1
            self._quick(self.quick_start, self.quick_end, self.quick_text)
            self._parts += [node] * (node.name == "r")

    def _end_inline(self) -> None:
        if self._parts:
            node = markup.Node("is", {})
            node.children, self._parts = self._parts, []
            self._value = text_of(node)
            self._cell = {**self._cell, "rich": "1"}
            self.rich[self._row, -1] = node
        elif len(self._value) > MOST_CHARACTERS:
            raise OperationError("too_long", most=MOST_CHARACTERS)
        else:
            self._value = markup.unescape_text(self._value)

    def _begin_row(self, attributes: dict[str, str]) -> None:
        self._lines += 1
        if self._lines > MOST_LINES:
            raise OperationError("file_too_large")
        self._row = self._row + 1 if "r" not in attributes else markup.whole(attributes["r"]) - 1
        self._column = -1
        if not 0 <= self._row < a1.MOST_ROWS:
            raise bad_file("a row's number is none")
        if "hidden" in attributes or "ht" in attributes:
            self.rows[self._row] = attributes

    def _end_cell(self) -> None:
        cell = self._cell
        reference = cell.get("r")
        if reference is None:
            self._column += 1
        else:
            letters = reference.rstrip(DIGITS)
            self._column = self._columns[letters] if letters in self._columns else self._new_column(letters)
        self._add(cell.get("t", "n"), self._value, cell.get("s", "0"))

    def _add(self, kind: str, value: str, style: str) -> None:
        """Add a cell at the current position."""
        if self._formula is not None:
            kind, text = self._read_formula(kind, value)
        elif kind == "n":
            kind, text = (
                ("number", value)
                if value.isdecimal() and (value[0] != "0" or value == "0") and len(value) < 16
                else self._number(value)
            )
        elif kind == "s" and value:
            kind, text = self._read_shared_string(value)
        else:
            kind, text = self._other(kind, value)
        if style in self.dated and kind == "number":
            text = number_text(float(text) + SINCE_1904)
        if kind or style != "0":
            self.cells.append(
                (self._row, self._column, kind, text, int(style) if style.isdecimal() and len(style) < 9 else 0)
            )
            if len(self.cells) > MOST_FILLED:
                raise OperationError("too_many_cells", most=MOST_FILLED)

    def quick_rows(self, text: str, at: int) -> int:
        """Read rows of plain cells from a position on; return where the first other one begins."""
        while (row := _ROW.match(text, at)) is not None:
            end = row.end() if row[2] else text.find("</row>", at)
            if end < 0:
                break
            body = text[row.end() : end]
            if not _CELLS.fullmatch(body):
                self.parser.Parse(text[at : end if row[2] else end + len("</row>")].encode(), False)
            else:
                self._begin_row(dict(_ATTRIBUTE.findall(row[1])))
                self._quick_cells(body)
            at = end if row[2] else end + len("</row>")
        return at

    def _quick_cells(self, body: str) -> None:
        """Read the plain cells of a row; integers, which most cells hold, take a fast path."""
        columns, put, row, dated = self._columns, self.cells.append, self._row, self.dated
        self._formula, self._cell = None, {}
        for letters, style, kind, formula, whole, value, inline in _CELL.findall(body):
            column = columns[letters] if letters in columns else self._new_column(letters)
            if whole and not kind and not formula and (style or "0") not in dated:
                put((row, column, "number", whole, int(style) if style else 0))
                continue
            self._column = column
            if formula:
                self._formula, self._formula_text = {}, unescape(formula, _QUOTES)
            said = whole or inline or value
            said = unescape(said, _QUOTES) if "&" in said else said
            self._add(kind or "n", markup.unescape_text(said) if inline else said, style or "0")
            self._formula = None
        if len(self.cells) > MOST_FILLED:
            raise OperationError("too_many_cells", most=MOST_FILLED)

    def _new_column(self, letters: str) -> int:
        if not _COLUMN.fullmatch(letters):
            raise bad_file("a cell's name is none")
        found = self._columns[letters] = a1.column(letters)
        return found

    def _number(self, value: str) -> tuple[str, str]:
        if not value:
            return "", ""
        try:
            number = float(value)
        except ValueError:
            raise bad_file("a number is none") from None
        return ("number", number_text(number)) if isfinite(number) else ("text", value[:400])

    def _read_shared_string(self, value: str) -> tuple[str, str]:
        index = markup.whole(value, -1)
        if not 0 <= index < len(self.shared.texts):
            raise bad_file("a shared text is missing")
        if index in self.shared.rich:
            self.rich[self._row, self._column] = self.shared.rich[index]
        text = self.shared.texts[index]
        return ("text", text) if text else ("", "")

    def _other(self, kind: str, value: str) -> tuple[str, str]:
        """Read booleans, inline texts, errors, dates."""
        if not value:
            return "", ""
        if kind == "b":
            return "boolean", "TRUE" if value in ("1", "true") else "FALSE"
        if kind == "e":
            return "formula", f"={value}" if _ERROR.fullmatch(value) else "=#REF!"
        if kind == "d":
            return _read_date(value)
        if "rich" in self._cell:
            self.rich[self._row, self._column] = self.rich.pop((self._row, -1))
        text = markup.unescape_text(value) if kind == "str" else value
        if len(text) > MOST_CHARACTERS:
            raise OperationError("too_long", most=MOST_CHARACTERS)
        return "text", text

    def _read_formula(self, kind: str, value: str) -> tuple[str, str]:
        """Read a formula; one that reads another file becomes its stored value."""
        form, text = self._formula or {}, markup.unescape_text(self._formula_text)
        self._formula_text = ""
        if len(text) > MOST_CHARACTERS:
            raise OperationError("too_long", most=MOST_CHARACTERS)
        if form.get("t") == "dataTable" or formulas.reaches_outside(text):
            return self._read_result(kind, value)
        if form.get("t") == "shared":
            found = self._read_shared_formula(form.get("si", ""), text)
        else:
            found = formulas.inward(text) if text else None
        if found is not None and form.get("t") == "array":
            self._array(form.get("ref", ""))
            found = formulas.as_array(found)
        return ("", "") if found is None or found == "=" else ("formula", found)

    def _read_result(self, kind: str, value: str) -> tuple[str, str]:
        if not value:
            return "formula", "=#REF!"
        return self._number(value) if kind == "n" else self._other("str" if kind == "s" else kind, value)

    def _read_shared_formula(self, key: str, text: str) -> str | None:
        """Read a shared formula: the first cell has its text, the others move it."""
        if text:
            found = formulas.inward(text)
            self._masters[key] = (self._row, self._column, found or "")
            return found
        top, left, first = self._masters.get(key, (0, 0, ""))
        return formula_references.shift_formula(first, self._row - top, self._column - left) if first else None

    def _array(self, reference: str) -> None:
        area = area_of(reference)
        if area is not None and area.holds(self._row, self._column):
            self.arrays.append(area)


def _read_date(value: str) -> tuple[str, str]:
    try:
        moment = datetime.fromisoformat(value).replace(tzinfo=None)
    except ValueError:
        return "text", value[:400]
    return "number", number_text((moment - datetime.fromordinal(DAY_ZERO)).total_seconds() / 86_400)


def area_of(reference: str) -> Area | None:
    """Parse the area of `B2:C4`; None for any other text."""
    if len(reference) > 40:
        return None
    try:
        found = a1.parse(reference)
    except a1.BadRange:
        return None
    return found.area if found.sheet is None else None


def grid(chunks: Iterable[bytes], shared: Strings, dated: frozenset[str]) -> Grid:
    """Read a worksheet's part. Raises bad_file, too_long, too_many_cells, file_too_large."""
    read = Grid(shared, dated)
    markup.feed(read.parser, _rest(read, chunks))
    if read.arrays:
        read.cells = _without_spilled(read.cells, read.arrays)
    return read


def _rest(read: Grid, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield everything for the XML parser except rows of plain cells."""
    pieces = iter(chunks)
    data = b""
    for piece in pieces:
        data += piece
        if len(data) > MOST_AT_ONCE:
            break
    head, mark, _ = data.partition(b"<sheetData>")
    encoding = _ENCODING.search(head[:200])
    try:
        text = data.decode("utf-8") if mark and (encoding is None or encoding[1].lower() == b"utf-8") else ""
    except UnicodeDecodeError:
        text = ""
    if not text or len(data) > MOST_AT_ONCE:
        yield data
    else:
        yield head + mark
        at = text.index("<sheetData>") + len("<sheetData>")
        yield text[read.quick_rows(text, at) if read.in_cells else at :].encode()
    yield from pieces


def _without_spilled(cells: list[Placed], arrays: Sequence[Area]) -> list[Placed]:
    """Return the cells without those that an array formula fills."""
    filled: set[tuple[int, int]] = set()
    for area in arrays:
        if (
            len(filled) > MOST_FILLED // 10
            or ((area.bottom or 0) - area.top) * ((area.right or 0) - area.left) > MOST_FILLED // 10
        ):
            break
        filled.update(
            (row, column) for row in range(area.top, area.bottom or 0) for column in range(area.left, area.right or 0)
        )
        filled.discard((area.top, area.left))
    return [
        (row, column, "", "", style) if (row, column) in filled else (row, column, kind, text, style)
        for row, column, kind, text, style in cells
    ]
